/**
 * Ninety days of the sample shop, day by day: the rhythm of the week and of the hours, slow growth, and the newsletter of eight
 * days ago. The same seed and the same end give the same story to the last identifier. Pure.
 */
import { dayMs, hourMs } from '#src/kit/zone.ts';
import { bots } from './audience.ts';
import { withFailures } from './failures.ts';
import { createRandom, type Random } from './random.ts';
import { shopOffsetMs } from './shop.ts';
import { newsletter, type Source, sources } from './sources.ts';
import { createVisitors } from './visitors.ts';
import { makeVisit, type Visit } from './visits.ts';

export const storyDays = 90;
const seed = 2026;

/** Visits of an ordinary weekday at the end of the story. */
const visitsPerDay = 280;
/** From Sunday: coffee is bought at the desk. */
const weekdays = [0.86, 1.02, 1.03, 1.04, 1.01, 0.93, 0.79];
/** Growth in the 28 days of a comparison. */
const growth = 1.19;
/** The newsletter goes out at nine, so many days ago, and is read for days. */
const newsletterDaysAgo = 8;
const newsletterVisits = [165, 84, 34, 14, 6];
/** Weights by local hour. */
const hours = [10, 6, 4, 3, 3, 6, 16, 34, 52, 66, 70, 66, 62, 60, 58, 58, 60, 58, 54, 58, 66, 68, 52, 28];

/** Visits in a local hour, 0 to 23, of an ordinary weekday. */
export function visitsInHour(hour: number): number {
  return (visitsPerDay * (hours[hour] ?? 0)) / hours.reduce((all, weight) => all + weight, 0);
}

const newsletterHours = hours.map((weight, hour) => (hour < 9 ? 0 : weight * (hour < 13 ? 3 : 1)));

const botShare = 0.025;

/** Time of the newsletter in a story with this end, ms. */
export function newsletterSentAt(end: number): number {
  const today = Math.floor((end + shopOffsetMs) / dayMs);
  return (today - newsletterDaysAgo) * dayMs - shopOffsetMs + 9 * hourMs;
}

export interface StoryDay {
  /** In the order of their beginning; nothing in them is later than the end of the story. */
  visits: Visit[];
  /** One view each. */
  botViews: { at: number; page: string; userAgent: string; id: string; session: string; uuid: string }[];
}

/**
 * @param end the end of the story, ms
 * @param days its length, that of the last day included
 */
export function* tellStory(end: number, days = storyDays): Generator<StoryDay> {
  const random = createRandom(seed);
  const visitors = createVisitors(random);
  const today = Math.floor((end + shopOffsetMs) / dayMs);
  for (let daysAgo = days - 1; daysAgo >= 0; daysAgo--) {
    const midnight = (today - daysAgo) * dayMs - shopOffsetMs;
    const arrivals = arrivalsOf(today - daysAgo, daysAgo, midnight, random).filter(({ at }) => at < end);
    const visits = arrivals.map(({ at, source }) => makeVisit(at, visitors.arrive(at), source, random, visitors));
    const botViews = Array.from({ length: Math.round(arrivals.length * botShare) }, () => {
      const at = Math.floor(midnight + random.next() * dayMs);
      return {
        at,
        page: random.pick(['/', '/produtos', '/assinatura']),
        userAgent: random.pick(bots),
        id: random.uuid(at),
        session: random.uuid(at),
        uuid: random.uuid(at),
      };
    });
    for (const visit of visits) visit.actions = withFailures(visit, end).filter(({ at }) => at < end);
    yield { visits, botViews: botViews.filter(({ at }) => at < end) };
  }
}

function arrivalsOf(day: number, daysAgo: number, midnight: number, random: Random): { at: number; source: Source }[] {
  const weekday = weekdays[(((day + 4) % 7) + 7) % 7] as number;
  const usual = visitsPerDay * weekday * growth ** (-daysAgo / 28) * random.around(1, 0.035);
  const arrivals = Array.from({ length: Math.round(usual) }, () => ({
    at: midnight + timeOfDay(hours, random),
    source: random.weighted(sources),
  }));
  const extra = newsletterVisits[newsletterDaysAgo - daysAgo] ?? 0;
  for (let visit = 0; visit < extra; visit++) {
    const weights = daysAgo === newsletterDaysAgo ? newsletterHours : hours;
    arrivals.push({ at: midnight + timeOfDay(weights, random), source: newsletter });
  }
  return arrivals.sort((one, other) => one.at - other.at);
}

function timeOfDay(weights: readonly number[], random: Random): number {
  const hour = random.weighted(weights.map((weight, index) => [index, weight] as const));
  return Math.floor((hour + random.next()) * hourMs);
}
