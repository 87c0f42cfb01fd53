/** People by minute, which is read in two parts: against a plain count over everything, while time goes on and events come late. */

import { Client } from 'pg';
import { createLive, type Live } from '#src/events/live.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { createProjects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import fc from '#test/kit/fast-check.ts';

const database = useDatabase();
const project = 1 as ProjectId;
const minute = 60_000;
const quiet = { subscribe: () => () => undefined, stop: async () => undefined };

interface Happened {
  ts: number;
  person: number;
  bot: boolean;
}

let deps: TestDeps;
let live: Live;
let all: Happened[];
let merged: Map<number, number>;
/** How long reading minutes that are over seems to take. */
let readingMs: number;
let readings: number;

async function begin(): Promise<void> {
  deps = testDeps(database.url);
  live = createLive(deps, { projects: createProjects(deps), notices: quiet as never });
  [all, merged, readingMs, readings] = [[], new Map(), 0, 0];
  deps.db.on('query', ({ sql }: { sql: string }) => {
    if (!/^\s*with seen/.test(sql)) return;
    readings += 1;
    const now = deps.clock.now();
    deps.clock.advance(readingMs);
    deps.clock.set(now);
  });
  await database.query(`
    truncate events, person_overrides, event_names, projects cascade;
    insert into projects (id, name, created_at) values (1, 'one', 'epoch');
    insert into event_names values (1, 1, '$pageview', 'epoch', 'epoch');`);
}

async function end(): Promise<void> {
  await live.stop();
  await deps.close();
}

async function happen({ ts, person, bot }: Happened): Promise<void> {
  all.push({ ts, person, bot });
  await database.query(
    `insert into events (ts, received_at, uuid, project_id, person, distinct_id, event, epoch, marks, properties)
     values (to_timestamp($1 / 1000.0), to_timestamp($2 / 1000.0), $3, 1, $4, $4, 1, 1, $5, '{}')`,
    [ts, deps.clock.now(), uuidV7(ts), person, bot ? 1 : 0],
  );
}

function plain(): number[] {
  const now = deps.clock.now();
  const first = Math.floor(now / minute) * minute - 29 * minute;
  return Array.from({ length: 30 }, (_, place) => {
    const from = first + place * minute;
    const seen = all.filter(({ ts, bot }) => !bot && ts >= from && ts < from + minute && ts <= now);
    return new Set(seen.map(({ person }) => merged.get(person) ?? person)).size;
  });
}

it('is a plain count over thirty minutes, also with late events', async () => {
  const step = (longest: number) =>
    fc.record({
      waits: fc.oneof(fc.integer({ min: 1_000, max: 4_000 }), fc.integer({ min: 20_000, max: 400_000 })),
      events: fc.array(
        fc.record({
          ago: fc.integer({ min: 0, max: longest }),
          person: fc.integer({ min: 1, max: 5 }),
          bot: fc.boolean(),
        }),
        { maxLength: 5 },
      ),
      merge: fc.option(fc.constantFrom(3, 4, 5), { freq: 6 }),
    });
  const steps = (longest: number) => fc.array(step(longest), { minLength: 1, maxLength: 8 });
  const history = fc.oneof(
    fc.record({ readsFor: fc.constant(0), steps: steps(33 * minute) }),
    // Minutes that are over are kept for 50 s: what comes late then is not later than five minutes.
    fc.record({ readsFor: fc.constant(500), steps: steps(5 * minute) }),
  );
  await fc.assert(
    fc.asyncProperty(history, async ({ readsFor, steps }) => {
      await begin();
      readingMs = readsFor;
      try {
        for (const { waits, events, merge } of steps) {
          deps.clock.advance(waits);
          for (const { ago, person, bot } of events) await happen({ ts: deps.clock.now() - ago, person, bot });
          if (merge !== null && readsFor === 0 && !merged.has(merge)) {
            merged.set(merge, 1);
            await database.query(`insert into person_overrides values (1, $1, 1, now())`, [merge]);
          }
          expect((await live.snapshot(project)).summary.minutes).toEqual(plain());
        }
      } finally {
        await end();
      }
    }),
    { numRuns: 20 },
  );
});

describe('of a project where minutes that are over take long to read', () => {
  beforeEach(async () => {
    await begin();
    readingMs = 3_000;
  });
  afterEach(end);

  /** What is shown when it was made after everything that happened. */
  async function shown(): Promise<number[]> {
    deps.clock.advance(40_000);
    return (await live.snapshot(project)).summary.minutes;
  }

  it('reads them seldom, and moves on what it knows', async () => {
    await happen({ ts: deps.clock.now() - 12 * minute, person: 1, bot: false });
    await shown();
    await happen({ ts: deps.clock.now(), person: 2, bot: false });
    expect(await shown()).toEqual(plain());
    expect(readings).toBe(1);
    await happen({ ts: deps.clock.now() - 11 * minute, person: 2, bot: false });
    expect(await shown()).not.toEqual(plain());
    deps.clock.advance(3 * minute);
    expect(await shown()).toEqual(plain());
    expect(readings).toBe(2);
  });

  it('looks again soon although a reading once hung for an hour', async () => {
    readingMs = 3_600_000;
    await shown();
    await happen({ ts: deps.clock.now() - 8 * minute, person: 1, bot: false });
    deps.clock.advance(2 * minute);
    expect(await shown()).toEqual(plain());
  });

  it('reads them when some were never read', async () => {
    await shown();
    readingMs = 60_000;
    deps.clock.advance(6 * minute);
    await shown();
    const before = readings;
    await happen({ ts: deps.clock.now(), person: 1, bot: false });
    deps.clock.advance(9 * minute);
    expect(await shown()).toEqual(plain());
    expect(readings).toBe(before + 1);
  });

  it('shows what was a moment ago instead of having a page wait', async () => {
    await live.now(project);
    deps.clock.advance(5_000);
    await happen({ ts: deps.clock.now(), person: 1, bot: false });
    const unlock = await lockEvents();
    const before = await live.now(project);
    await unlock();
    expect(deps.clock.now() - before.at).toBe(5_000);
    expect(before.peopleNow).toBe(0);
    expect((await live.snapshot(project)).summary).toMatchObject({ peopleNow: 1, minutes: plain() });
    expect(await live.now(project)).toMatchObject({ peopleNow: 1 });
  });

  it('keeps what it knows when a reading fails', async () => {
    await shown();
    await database.query('alter table events rename column marks to gone');
    deps.clock.advance(5_000);
    await expect(live.now(project)).rejects.toThrow();
    await database.query('alter table events rename column gone to marks');
    expect(await shown()).toEqual(plain());
    expect(readings).toBe(1);
  });
});

/** Nobody reads events until they are unlocked. */
async function lockEvents(): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table events in access exclusive mode');
  return () => client.end();
}
