/**
 * How long the list of people, a person's page and finding the people of a cohort take among as many people as there are, in the database of `bench/questions.ts`. Each run is about
 * another person.
 *
 * `node build.mjs run bench/people.ts --home /a/folder [--events 10000000] [--runs 40] [--only 'search|sort']`
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createColumns } from '#src/columns/columns.ts';
import { createHistory } from '#src/events/history.ts';
import { createInsights } from '#src/insights/insights.ts';
import { createPeople } from '#src/persons/people.ts';
import { type PeopleInput, type PeopleQuery, peopleInput } from '#src/profiles/contract.ts';
import { createProfiles } from '#src/profiles/profiles.ts';
import { createProjects } from '#src/projects/projects.ts';
import { openData, openServer, sealEverything } from './questions-data.ts';

const { values: given } = parseArgs({
  options: {
    home: { type: 'string', default: '/tmp/luneta-bench' },
    events: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '4791' },
  },
});
const runs = Number(given.runs);

const postgres = await openServer(given.home, Number(given.port));
try {
  const data = await openData(postgres, Number(given.events), Number(given.events) / 100);
  await sealEverything(data, postgres, false);
  const { deps, project } = data;
  const columns = createColumns(deps);
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  const profiles = createProfiles(deps, {
    people: createPeople(deps),
    history: createHistory(deps),
    columns,
    projects: createProjects(deps),
    insights,
  });
  const [known] = await data.text<{ people: number; most: number }>(
    `select count(*)::int as people, max(number) as most from persons where project_id = ${project.id} and not merged`,
  );
  const { people, most } = known as { people: number; most: number };
  console.log(`${people} people, ${data.ofProject} events; load of the machine ${loadavg()[0]?.toFixed(1)}`);

  /** Numbers of people, here and there; every tenth was merged into the one before. */
  const numberOf = (run: number) => {
    const number = 1 + ((run * 7_919 + 13) % most);
    return number % 10 === 0 ? number - 1 : number;
  };
  const asked = (changes: Partial<PeopleInput>): PeopleQuery => {
    const { project: _, ...rest } = peopleInput.parse({ project: 'any', ...changes });
    return rest;
  };
  const list = (changes: Partial<PeopleInput>) => profiles.list(project.id, asked(changes));
  const property = (name: string, operator: 'equals' | 'contains' | 'isSet', value = '') => ({ name, operator, value });

  await measure('list, seen last', () => list({}));
  await measure('list, newest', () => list({ sort: 'created' }));
  for (const sort of ['events', 'visits', 'revenue'] as const) {
    await measure(`list, most ${sort} in 30 days`, () => list({ sort }));
    await measure(`list, everybody, most ${sort} in 90 days`, () =>
      list({ sort, everybody: true, range: 'last_90_days' }),
    );
    await measure(`a third, most ${sort} in 90 days`, () =>
      list({ sort, range: 'last_90_days', property: property('plan', 'equals', 'pro') }),
    );
  }
  await measure('list, everybody', () => list({ everybody: true }));
  const pages: [string, Partial<PeopleInput>][] = [
    ['seen', {}],
    ['created', { sort: 'created' }],
    ['a third', { property: property('plan', 'equals', 'pro') }],
  ];
  for (const [title, which] of pages) {
    let { next } = await list(which);
    await measure(`${title}, next page`, async () => {
      const page = await list({ ...which, after: next ?? undefined });
      next = page.next;
      return page;
    });
  }
  const behindAll = { at: 0, number: 1 };
  await measure('seen, those without an event', () => list({ after: behindAll }));
  await measure('a third, those without an event', () =>
    list({ property: property('plan', 'equals', 'pro'), after: behindAll }),
  );
  await measure('search, whole e-mail', (run) => list({ search: `p${numberOf(run)}@example.com` }));
  await measure('search, beginning of an e-mail', (run) => list({ search: `p${numberOf(run)}@` }));
  await measure('search, few letters', (run) => list({ search: `p${1 + (run % 9)}` }));
  await measure('search, piece of an e-mail', (run) => list({ search: `${numberOf(run)}@exam` }));
  await measure('search, piece of all e-mails', () => list({ search: 'example' }));
  await measure('search, id', (run) => list({ search: `person-${numberOf(run)}` }));
  await measure('search, nobody', (run) => list({ search: `nobody ${run}` }));
  await measure('search, value of a third', () => list({ search: 'basic' }));
  await measure('property is', (run) =>
    list({ property: property('email', 'equals', `p${numberOf(run)}@example.com`) }),
  );
  await measure('property is, a fiftieth', (run) => list({ property: property('seats', 'equals', String(run % 50)) }));
  await measure('search, letters and a value', (run) =>
    list({ search: `p${2 + (run % 7)}`, property: property('plan', 'equals', 'basic') }),
  );
  await measure('property is, a third', () => list({ property: property('plan', 'equals', 'pro') }));
  await measure('property contains', (run) => list({ property: property('email', 'contains', `${numberOf(run)}@`) }));
  await measure('property is there', () => list({ property: property('seats', 'isSet') }));
  await measure('property is there for nobody', () => list({ property: property('nothing', 'isSet') }));
  const uuids = await data.text<{ uuid: string }>(
    `select uuid from persons where project_id = ${project.id} and not merged and number % 997 = 1 order by number limit ${runs}`,
  );
  const uuidOf = (run: number) => uuids[run % uuids.length]?.uuid as string;
  await measure('person', (run) => profiles.get(project.id, uuidOf(run)));
  await measure('person, timeline', (run) => profiles.timeline(project.id, { person: uuidOf(run) }));
  const [faithful] = await data.text<{ uuid: string }>(
    `select uuid from persons where project_id = ${project.id} and number = 1`,
  );
  await measure('the most faithful person', () => profiles.get(project.id, faithful?.uuid as string));
  const all = { ...project, seesPersons: true };
  /** Another number of views each time: nothing of that was counted before. */
  const cohort = (views: number) => ({
    match: 'all' as const,
    of: [
      { did: { event: '$pageview' }, times: views, within: 'last_90_days' as const },
      { did: { event: 'produto_visto' }, times: 1, within: 'last_28_days' as const, not: true },
      { has: { name: 'plan', operator: 'equals' as const, values: ['pro'] } },
    ],
  });
  await measure('cohort of three conditions, again', () => insights.cohorts.preview(all, cohort(5)));
  await measure('cohort of three conditions, new', (run) => insights.cohorts.preview(all, cohort(6 + run)));
  await columns.stop();
  await data.close();
} finally {
  await postgres.stop();
}
process.exit(0);

async function measure(title: string, ask: (run: number) => Promise<unknown>): Promise<void> {
  if (!new RegExp(given.only).test(title)) return;
  const times: number[] = [];
  let found = 0;
  await ask(runs); // plans and pages of the database
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    const page = (await ask(run)) as { rows?: unknown[] };
    times.push(performance.now() - begin);
    found = Math.max(found, page.rows?.length ?? 1);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => (times[Math.ceil(share * (times.length - 1))] ?? Number.NaN).toFixed(1);
  console.log(
    `  ${title.padEnd(34)} ${at(0.5).padStart(8)} ms, 95 % within ${at(0.95).padStart(8)} ms; at most ${found} rows`,
  );
}
