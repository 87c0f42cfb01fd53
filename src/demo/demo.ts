/**
 * The sample project: creates *Café Serrana* once and sends ninety days of events to the collector over HTTP, in the format of
 * clients. An interrupted run continues at the next call; stored events are not stored again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beginAlert } from '#src/alerts/alerts.ts';
import { beginMerge, beginSourceMap } from '#src/errors/errors.ts';
import { beginExperiment } from '#src/experiments/experiments.ts';
import { type Author, createFlagStore } from '#src/flags/flags.ts';
import { announceCohorts, createAnnotations, createGoals } from '#src/insights/insights.ts';
import { AppError } from '#src/kit/errors.ts';
import { dayMs, weekdayOf, zoneOf } from '#src/kit/zone.ts';
import { createPeople } from '#src/persons/people.ts';
import { createProjects, type Project } from '#src/projects/projects.ts';
import { beginReport } from '#src/reports/reports.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import { SCRIPT, sourceMap } from './built.ts';
import { companyType } from './companies.ts';
import { clickedFrom, heatmapEvents } from './heatmaps.ts';
import { saveShopInsights } from './insights.ts';
import { drawPreviews } from './previews.ts';
import { recordedFrom, recordedVisits, recordingOf } from './recordings.ts';
import { type Body, send } from './send.ts';
import {
  ALERT_DAYS,
  CHECKOUT_FLAG,
  CLUB_FLAG,
  checkoutFeature,
  clubFlag,
  EXPERIMENT_DAYS,
  MERGED_ERRORS,
  newsletterNote,
  ORDER_FLAG,
  orderExperiment,
  REPORT_DAYS,
  shop,
  shopAlerts,
  shopCohorts,
  shopErrorRules,
  shopFlags,
  shopGoals,
  shopReplay,
  shopReport,
} from './shop.ts';
import { newsletterSentAt, type StoryDay, storyDays, tellStory } from './story.ts';
import type { Visit } from './visits.ts';
import { browserEvents, groupEvents, type SentEvent, serverEvents } from './wire.ts';

/** Identifies the project, even after it is renamed. */
const token = 'demo-cafe-serrana';
const eventsPerBody = 1_000;
const bodiesAtOnce = 4;
const RECORDINGS_PER_BODY = 1;
const MERGE_EVERY_MS = 1_000;

export interface DemoOptions {
  /** Origin of the collector. */
  baseUrl: string;
  deps: Pick<Deps, 'config' | 'db' | 'write' | 'clock' | 'log' | 'fetch'>;
  /** Number of days to send, up to ninety, counted from the last. */
  days?: number;
  /** Called after each stored body. */
  progress?(progress: DemoProgress): void;
  signal?: AbortSignal;
  /** Jobs group the errors meanwhile: two issues are merged if they are there within this time. */
  mergeWithinMs?: number;
}

export interface DemoProgress {
  /** Events stored so far. */
  events: number;
  /** Share of the story that was sent, 0 to 1. */
  part: number;
}

export interface DemoResult {
  project: Project;
  /** Events that the story has. */
  events: number;
  /** True when everything was already stored. */
  wasThere: boolean;
}

/**
 * @throws AppError `unavailable` when the collector does not take the events
 */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const { deps, days = storyDays } = options;
  const { project, madeAt } = await findOrMakeProject(deps);
  let expected = 0;
  const visits: Visit[] = [];
  for (const day of tellStory(madeAt, days)) {
    expected += day.botViews.length + serverEvents(day, madeAt).length + groupEvents(day, project.token).length;
    for (const visit of day.visits) {
      expected += visit.actions.length;
      if ((visit.actions[0]?.at ?? 0) >= recordedFrom(madeAt)) visits.push(visit);
    }
  }
  if ((await countStored(deps, project.id)) >= expected) return { project, events: expected, wasThere: true };

  await sendRecordings(options, project.token, visits, madeAt);
  await sendClicks(options, project.token, madeAt);
  await sendStory(options, project.token, madeAt);
  await announceCohorts(deps.db, project.id, shopCohorts, madeAt);
  await createClubFlag(deps, project);
  await createPeople(deps).nameGroupType(project.id, companyType);
  for (const alert of shopAlerts) await beginAlert(deps.db, project.id, alert, madeAt - ALERT_DAYS * dayMs);
  await beginShopReport(deps, project, madeAt);
  await mergeErrors(options, project);
  await drawPreviews(deps, project);
  // A day that has only begun may have nothing to send.
  options.progress?.({ events: expected, part: 1 });
  return { project, events: expected, wasThere: false };
}

/** A weekly summary that was due yesterday. Without a mail service its copy stays in the outbox; with one, nobody is written to. */
async function beginShopReport({ config, db }: DemoOptions['deps'], project: Project, madeAt: number): Promise<void> {
  if (config.SENDGRID_API_KEY !== undefined || config.SMTP_URL !== undefined) return;
  const { timeZone } = project;
  const weekday = weekdayOf(zoneOf(timeZone).dayAt(madeAt) - 1);
  await beginReport(db, project.id, { ...shopReport, timeZone, weekday }, madeAt - REPORT_DAYS * dayMs);
}

/** As soon as a job has grouped them. */
async function mergeErrors({ deps, mergeWithinMs = 0, signal }: DemoOptions, { id }: Project): Promise<void> {
  for (let waited = 0; waited < mergeWithinMs; waited += MERGE_EVERY_MS) {
    if (await beginMerge(deps, id, MERGED_ERRORS)) return;
    await sleep(MERGE_EVERY_MS, null, signal ? { signal } : {});
  }
}

/** Sends everything, a few bodies at once; stops at the first failure. */
async function sendStory(
  { baseUrl, deps, days = storyDays, progress, signal }: DemoOptions,
  projectToken: string,
  end: number,
): Promise<void> {
  const failed = new AbortController();
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const running = new Set<Promise<void>>();
  let stored = 0;
  let day = 0;
  try {
    for (const body of bodiesOf(tellStory(end, days), projectToken, end, () => day++)) {
      either.throwIfAborted();
      const part = day / days;
      const sending: Promise<void> = send(baseUrl, body, deps, either).then(() => {
        running.delete(sending);
        stored += body.events;
        progress?.({ events: stored, part });
      });
      running.add(sending);
      if (running.size >= bodiesAtOnce) await Promise.race(running);
    }
    await Promise.all(running);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(running);
    throw error;
  }
}

/** Before the events, whose number says that the story is complete. Those that were sent before are not stored again. */
async function sendRecordings(
  { baseUrl, deps, signal = new AbortController().signal }: DemoOptions,
  projectToken: string,
  visits: readonly Visit[],
  end: number,
): Promise<void> {
  const recorded = recordedVisits(visits, end);
  for (let at = 0; at < recorded.length; at += RECORDINGS_PER_BODY) {
    const batch = recorded
      .slice(at, at + RECORDINGS_PER_BODY)
      .flatMap((visit) => recordingOf(visit, projectToken, end));
    const json = JSON.stringify({ api_key: projectToken, historical_migration: true, batch });
    await send(
      baseUrl,
      { path: '/ingest/s/', headers: { 'content-type': 'text/plain' }, json, events: 0 },
      deps,
      signal,
    );
  }
}

/** Where visitors clicked: no events, so none are counted. */
async function sendClicks(
  { baseUrl, deps, days = storyDays, signal = new AbortController().signal }: DemoOptions,
  projectToken: string,
  end: number,
): Promise<void> {
  for (const day of tellStory(end, days)) {
    const recent = day.visits.filter(({ actions: [first] }) => (first?.at ?? 0) >= clickedFrom(end));
    const batch = recent.flatMap((visit) => heatmapEvents(visit, projectToken, end));
    if (batch.length === 0) continue;
    const json = JSON.stringify({ api_key: projectToken, historical_migration: true, batch });
    await send(
      baseUrl,
      { path: '/ingest/batch/', headers: { 'content-type': 'text/plain' }, json, events: 0 },
      deps,
      signal,
    );
  }
}

async function findOrMakeProject(deps: DemoOptions['deps']): Promise<{ project: Project; madeAt: number }> {
  const projects = createProjects(deps);
  let project = await projects.byRef(token);
  if (project === null) {
    // Before set-up it belongs to no team, and goes to the first team with the built-in project.
    const own = (await projects.list()).find(({ builtIn }) => builtIn);
    const made = projects.create({
      name: shop.name,
      timeZone: shop.timeZone,
      weekStart: 0,
      extraToken: token,
      settings: { demo: true, heatmaps: true, replay: shopReplay, ...shopErrorRules },
      teamId: own?.teamId ?? null,
    });
    try {
      project = await made;
      await setUpProject(deps, project);
    } catch (error) {
      // Another process was faster.
      project = error instanceof AppError && error.code === 'conflict' ? await projects.byRef(token) : null;
      if (project === null) throw error;
    }
  }
  const [row] = await query<{ madeAt: number }>(
    deps.db,
    sql`select created_at as "madeAt" from projects where id = ${project.id}`,
  );
  if (row === undefined) throw new Error('sample project not found');
  return { project, madeAt: row.madeAt };
}

/** Adds what a team would have: goals, flags, insights, and an annotation of the newsletter. */
async function setUpProject(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>, project: Project): Promise<void> {
  const goals = createGoals(deps);
  const orders: number[] = [];
  for (const goal of shopGoals) {
    const { id } = await goals.create(project.id, goal);
    if (goal.amount !== null) orders.push(id);
  }
  const flags = createFlagStore(deps, createPeople(deps));
  for (const flag of shopFlags) {
    const { id, key } = await flags.create(project.id, flag, authorIn(project));
    if (key === CHECKOUT_FLAG)
      await flags.earlyAccess.save(project.id, { flag: id, ...checkoutFeature }, authorIn(project));
    if (key !== ORDER_FLAG) continue;
    const startedAt = deps.clock.now() - EXPERIMENT_DAYS * dayMs;
    await beginExperiment(deps.db, project.id, { ...orderExperiment(orders[0] ?? 0), flag: id }, startedAt);
  }
  await saveShopInsights(deps, project);
  await beginSourceMap(deps, project.id, SCRIPT, sourceMap);
  const sent = newsletterSentAt(deps.clock.now());
  await createAnnotations(deps).create(project, { when: { at: sent }, text: newsletterNote, url: null });
}

function authorIn({ name }: Project): Author {
  return { id: null, name, note: async () => undefined };
}

/** A flag for the people of a cohort, unless it is there. */
async function createClubFlag(deps: Pick<Deps, 'db' | 'clock' | 'log'>, project: Project): Promise<void> {
  const flags = createFlagStore(deps, createPeople(deps));
  const [cohort] = await query<{ id: number }>(
    deps.db,
    sql`select id from cohorts where project_id = ${project.id} and name = ${shopCohorts[0]?.name}`,
  );
  if (cohort === undefined || (await flags.list(project.id)).some(({ key }) => key === CLUB_FLAG)) return;
  await flags.create(project.id, clubFlag(cohort.id), authorIn(project));
}

async function countStored(deps: DemoOptions['deps'], projectId: number): Promise<number> {
  const [row] = await query<{ stored: number }>(
    deps.db,
    sql`select count(*)::int as stored from events where project_id = ${projectId}`,
  );
  return row?.stored ?? 0;
}

/** The bodies of the whole story: what the browsers of each day sent, as posthog-js does, and what the shop's server did. */
function* bodiesOf(story: Iterable<StoryDay>, projectToken: string, end: number, nextDay: () => void): Generator<Body> {
  for (const day of story) {
    nextDay();
    // The gzip of posthog-js calls itself text.
    const events = [...browserEvents(day, projectToken), ...groupEvents(day, projectToken)];
    yield* bodies(events, projectToken, { 'content-type': 'text/plain' });
    const node = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    yield* bodies(serverEvents(day, end), projectToken, node);
  }
}

function* bodies(events: SentEvent[], projectToken: string, headers: Record<string, string>): Generator<Body> {
  for (let at = 0; at < events.length; at += eventsPerBody) {
    const batch = events.slice(at, at + eventsPerBody);
    const json = JSON.stringify({ api_key: projectToken, historical_migration: true, batch });
    yield { path: '/ingest/batch/', headers, json, events: batch.length };
  }
}
