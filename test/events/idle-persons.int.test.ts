/** Persons without a profile go with their last event, also when one of their ids comes back at that moment. */
import type { FinishedEvent } from '#src/events/contract.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProjects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import fc from '#test/kit/fast-check.ts';

const database = useDatabase({ between: 'nothing' });
const DAY = 86_400_000;
const DAYS_KEPT = 30;

/** Where a batch stands while the retention job runs. */
type Pause = 'none' | 'prepared' | 'committing';

type Step =
  | { do: 'store'; by: 0 | 1; id: string; daysAgo: number; process: boolean; pause: Pause }
  | { do: 'wait'; days: number }
  | { do: 'retire' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('store' as const),
      by: fc.constantFrom(0 as const, 1 as const),
      id: fc.constantFrom('a', 'b', 'c'),
      daysAgo: fc.constantFrom(0, 0, 0, 20, 40),
      process: fc.constantFrom(false, false, false, true),
      pause: fc.constantFrom('none' as const, 'prepared' as const, 'committing' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retire' as const) }) },
);

/** A process that hears no notices: what it remembers is as old as it can be. */
interface Process {
  deps: TestDeps;
  events: Events;
  /** Called once, when persons of a batch are prepared. */
  onPrepared: (() => Promise<void>) | null;
}

function startProcess(clock?: TestDeps['clock']): Process {
  const deps = testDeps(database.url, clock === undefined ? {} : { clock });
  const persons = createPersons(deps);
  const process: Process = { deps, events: null as unknown as Events, onPrepared: null };
  process.events = createEvents(deps, {
    projects: createProjects(deps),
    persons: {
      ...persons,
      async prepare(batch) {
        const prepared = await persons.prepare(batch);
        const pause = process.onPrepared;
        process.onPrepared = null;
        await pause?.();
        return prepared;
      },
      receive: () => undefined,
      forgetAll: () => undefined,
    },
  });
  return process;
}

/** Stores an event; `meanwhile` runs where it pauses. */
async function store(process: Process, event: FinishedEvent, pause: Pause, meanwhile: () => Promise<unknown>) {
  let isFirst = true;
  const onPause = async () => {
    if (isFirst) await meanwhile();
    isFirst = false;
  };
  process.onPrepared = pause === 'prepared' ? onPause : null;
  const beforeCommit = async () => {
    await onPause();
    return null;
  };
  await process.events.store([event], pause === 'committing' ? beforeCommit : undefined);
}

function eventOf(projectId: number, { id, process }: { id: string; process: boolean }, ts: number): FinishedEvent {
  return {
    projectId,
    uuid: uuidV7(ts),
    event: 'ping',
    distinctId: id,
    ts,
    receivedAt: ts,
    session: uuidV7(ts),
    marks: 0,
    groups: {},
    properties: {},
    person: { process, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
  };
}

it('never leaves an event without its person, and nobody without an event or a profile', async () => {
  const first = startProcess();
  const second = startProcess(first.deps.clock);
  const processes = [first, second] as const;
  const { clock } = first.deps;
  const projects = createProjects(first.deps);
  const retire = () => first.events.retire();
  try {
    await projects.create({ name: 'Keeps all', timeZone: 'UTC', settings: { retentionDays: null } });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const { id: project } = await projects.create({
          name: 'Shop',
          timeZone: 'UTC',
          settings: { retentionDays: DAYS_KEPT },
        });
        const stored: { uuid: string; id: string; ts: number; process: boolean }[] = [];
        for (const each of steps) {
          if (each.do === 'wait') clock.advance(each.days * DAY);
          if (each.do === 'retire') await retire();
          if (each.do === 'store') {
            const event = eventOf(project, each, clock.now() - each.daysAgo * DAY);
            await store(processes[each.by], event, each.pause, retire);
            stored.push({ uuid: event.uuid, id: each.id, ts: event.ts, process: each.process });
          }
          expect(await withoutTheirPerson(project)).toEqual([]);
        }
        await retire();
        const before = Math.floor((clock.now() - DAYS_KEPT * DAY) / DAY) * DAY;
        const kept = stored.filter(({ ts }) => ts >= before);
        expect(await eventsIn(project)).toEqual(kept.map(({ uuid, id }) => ({ uuid, id })).sort(byUuid));
        const profiles = stored.filter(({ process }) => process);
        expect(await idsIn(project)).toEqual([...new Set([...kept, ...profiles].map(({ id }) => id))].sort());
        expect(await withoutTheirPerson(project)).toEqual([]);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 8), endOnFailure: true },
    );
  } finally {
    for (const { events, deps } of processes) {
      await events.stop();
      await deps.close();
    }
  }
});

const byUuid = (one: { uuid: string }, other: { uuid: string }) => (one.uuid < other.uuid ? -1 : 1);

/** Rows that name a person or an id that is not there, or that belongs to another. */
function withoutTheirPerson(project: number) {
  const owner = (table: string) => `
    select '${table}' as what from ${table} e
     where project_id = $1 and not exists (
       select from distinct_ids d join persons p using (project_id)
        where d.project_id = e.project_id and d.number = e.distinct_id and d.person = e.person and p.number = e.person)`;
  return database.query(
    `${owner('events')} union all ${owner('sessions')} union all
     select 'distinct_ids' from distinct_ids d
      where project_id = $1 and not exists (select from persons p where p.project_id = d.project_id and p.number = d.person)`,
    [project],
  );
}

function eventsIn(project: number) {
  return database.query(
    `select e.uuid, d.distinct_id as id from events e
       join distinct_ids d on d.project_id = e.project_id and d.number = e.distinct_id
      where e.project_id = $1 order by e.uuid`,
    [project],
  );
}

/** Of persons that are there. */
async function idsIn(project: number): Promise<string[]> {
  const rows = await database.query<{ ids: string[] | null }>(
    `select array_agg(d.distinct_id) as ids from persons p
       left join distinct_ids d on d.project_id = p.project_id and d.person = p.number
      where p.project_id = $1 group by p.number`,
    [project],
  );
  return rows.flatMap(({ ids }) => ids ?? ['nobody']).sort();
}
