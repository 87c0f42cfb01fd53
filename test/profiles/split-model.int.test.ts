/** Numbers before and after ids are taken out of people equal those of the plain reference implementation. */

import { type Columns, createColumns } from '#src/columns/columns.ts';
import { createEvents, type Events } from '#src/events/events.ts';
import { createHistory } from '#src/events/history.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import { createInsights } from '#src/insights/insights.ts';
import { runOverview } from '#src/insights/kinds/overview/run.ts';
import { createPeople, type People } from '#src/persons/people.ts';
import { createPersons } from '#src/persons/persons.ts';
import { createProfiles, type Profiles } from '#src/profiles/profiles.ts';
import { createProjects, type Project, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import fc from '#test/kit/fast-check.ts';
import { type Case, cases, finishedEvent } from '../insights/histories.ts';
import { Reference } from '../insights/reference.ts';

const database = useDatabase({ between: 'nothing' });
let deps: TestDeps;
let projects: Projects;
let events: Events;
let columns: Columns;
let people: People;
let profiles: Profiles;

beforeAll(() => {
  deps = testDeps(database.url);
  projects = createProjects(deps);
  columns = createColumns(deps, { threads: 0 });
  events = createEvents(deps, { persons: createPersons(deps), projects });
  people = createPeople(deps);
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  profiles = createProfiles(deps, { people, history: createHistory(deps), columns, projects, insights });
});
afterAll(async () => {
  await events.stop();
  await deps.close();
});

async function arrange({ question, history, batches, seals }: Case): Promise<Project> {
  const project = await projects.create({ name: 'model', timeZone: question.timeZone, weekStart: question.weekStart });
  let at = 0;
  for (let batch = 0; at < history.length; batch++) {
    const size = batches[batch % batches.length] as number;
    await events.store(history.slice(at, at + size).map((happened) => finishedEvent(project.id, happened)));
    at += size;
    if (seals[batch % seals.length]) await columns.seal();
  }
  return project;
}

async function expectNumbers(project: Project, { question, interval }: Case, reference: Reference): Promise<void> {
  const asked = { range: question.preset as RangeInput, compare: question.compare, interval };
  const { metrics } = await runOverview(columns, project, asked, question.now);
  const { visitors, visits, views } = reference.count(reference.current);
  expect([metrics.visitors.value, metrics.visits.value, metrics.views.value]).toEqual([visitors, visits, views]);
}

/** Splits ids off people with several; returns the split ids. */
async function takeApart(project: Project, ids: readonly string[], chosen: readonly number[]): Promise<string[]> {
  const taken: string[] = [];
  for (const choice of chosen) {
    const distinctId = ids[choice % ids.length] as string;
    const found = await people.ofDistinctId(project.id, distinctId);
    const person = found && (await people.current(project.id, [found.person]));
    if (!person || person.distinctIds.length < 2) continue;
    const by = { id: 1, name: 'Ada' };
    await profiles.splits.split(project.id, { person: person.uuid, distinctId }, by, async () => undefined);
    taken.push(distinctId);
  }
  return taken;
}

it('equals the plain reference implementation before and after', async () => {
  await database.query(
    `insert into users (id, uuid, email, email_key, name, language, time_zone, created_at) overriding system value
     values (1, gen_random_uuid(), 'a@b.example', 'a@b.example', 'Ada', 'en', 'UTC', '2026-01-01')`,
  );
  let splits = 0;
  await fc.assert(
    fc.asyncProperty(
      cases,
      fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (given, chosen, isSealed) => {
        const plain: Case = { ...given, question: { ...given.question, filters: undefined, include: [] } };
        const project = await arrange(plain);
        const reference = new Reference(plain.history, plain.question);
        await expectNumbers(project, plain, reference);
        const ids = [
          ...new Set(plain.history.flatMap(({ distinctId, anonymousId }) => [distinctId, anonymousId ?? distinctId])),
        ];
        const taken = await takeApart(project, ids, chosen);
        splits += taken.length;
        if (isSealed) await columns.runMaintenance();
        await expectNumbers(project, plain, new Reference(plain.history, plain.question, taken));
      },
    ),
    { numRuns: Number(process.env['MODEL_RUNS'] ?? 30) },
  );
  expect(splits).toBeGreaterThan(0);
  await columns.seal();
  await columns.runMaintenance();
  expect((await columns.verify()).findings).toEqual([]);
});
