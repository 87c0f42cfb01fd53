/** Weekdays by hours, the middle visit, web vitals and how pages were read: the plain way. */
import type { Happened, Reference } from './reference.ts';
import { pageRead } from './reference-tables.ts';

const halfHour = 1_800_000;

interface PlainHours {
  visitors: number[][];
  views: number[][];
  dates: number[];
  datesByHour: number[][];
}

/** For each weekday (0 Sunday) 24 hours, and how many dates of it were counted. */
export function hoursOf(reference: Reference): PlainHours {
  const { question, history, current } = reference;
  const viewed = history.filter(
    (each) => isView(each) && reference.isCounted(each) && current(each.ts) && reference.isWished(each),
  );
  const inCell = (weekday: number, hour: number) =>
    viewed.filter(({ ts }) => weekdayAt(reference, ts) === weekday && hourAt(reference, ts) === hour);
  const table = (figure: (cell: Happened[]) => number) =>
    [0, 1, 2, 3, 4, 5, 6].map((weekday) => Array.from({ length: 24 }, (_, hour) => figure(inCell(weekday, hour))));
  const dates = new Set<string>();
  const hours = new Set<string>();
  const isDay = question.preset === 'last_24_hours';
  const last = question.now - 1;
  const first = Math.min(...history.map(({ ts }) => ts));
  const firstHour = history.length === 0 ? null : reference.clock(first).slice(0, 13);
  // Every past hour has one of these times, in any time zone, and the last one is always there.
  for (let ts = question.now - (isDay ? 1 : 400) * 48 * halfHour; ts < last + halfHour; ts += halfHour) {
    const moment = Math.min(ts, last);
    if (!current(moment)) continue;
    const clock = reference.clock(moment);
    dates.add(clock.slice(0, 10));
    if (moment >= first || clock.slice(0, 13) === firstHour) hours.add(clock.slice(0, 13));
  }
  return {
    visitors: table((cell) => new Set(cell.map(({ distinctId }) => reference.personOf(distinctId))).size),
    views: table((cell) => cell.length),
    dates: [0, 1, 2, 3, 4, 5, 6].map((day) => [...dates].filter((date) => new Date(date).getUTCDay() === day).length),
    datesByHour: [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
      const own = [...hours].filter((each) => new Date(each.slice(0, 10)).getUTCDay() === weekday);
      return Array.from({ length: 24 }, (_, hour) => own.filter((each) => Number(each.slice(11)) === hour).length);
    }),
  };
}

function weekdayAt(reference: Reference, ts: number): number {
  return new Date(reference.clock(ts).slice(0, 10)).getUTCDay();
}

function hourAt(reference: Reference, ts: number): number {
  return Number(reference.clock(ts).slice(11, 13));
}

/** In seconds. */
export function medianVisit(reference: Reference): number | null {
  return quantile(
    reference.visits(reference.current).map(({ seconds }) => seconds),
    0.5,
  );
}

/** In order, a part of the way from the first to the last. */
export function quantile(values: number[], share: number): number | null {
  const inOrder = values.toSorted((one, other) => one - other);
  const place = share * (inOrder.length - 1);
  const [below, above] = [inOrder[Math.floor(place)], inOrder[Math.ceil(place)]];
  return below === undefined || above === undefined ? null : below * (1 - (place % 1)) + above * (place % 1);
}

/** Measurements of a vital, and the page of each. */
export function measurements(reference: Reference, name: string): { page: string; host: string; value: number }[] {
  return reference.history.flatMap((each) => {
    const value = each.loose?.[`$web_vitals_${name}_value`];
    const isIn = reference.isCounted(each) && reference.current(each.ts) && reference.isWished(each);
    const counts = each.event === '$web_vitals' && isIn;
    return counts && typeof value === 'number' && value >= 0
      ? [{ page: pageRead(each.path) ?? '', host: each.host ?? '', value }]
      : [];
  });
}

/** Mean seconds on a page and mean share of it that was seen: it is the page before that filters on pages are about. @param host null: of whichever */
export function readingOf(reference: Reference, page: string, host: string | null): [number | null, number | null] {
  const ends = reference.history.filter(
    (each) =>
      (isView(each) || each.event === '$pageleave') &&
      pageRead(`${each.loose?.['$prev_pageview_pathname']}`) === page &&
      (host === null || (each.host ?? '') === host) &&
      reference.isCounted(each) &&
      reference.current(each.ts) &&
      reference.isWished({ ...each, path: page }),
  );
  const mean = (name: string, most: number): number | null => {
    const values = ends.flatMap(({ loose }) =>
      typeof loose?.[name] === 'number' ? [Math.min(most, loose[name])] : [],
    );
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return [mean('$prev_pageview_duration', 1800), mean('$prev_pageview_max_scroll_percentage', 1)];
}

function isView({ event }: Happened): boolean {
  return event === '$pageview' || event === '$screen';
}
