import { noQuestion, type PeopleQuestion, peopleAddress, readPeople } from '#views/screens/profiles/people-address.ts';

it.each<[string, Partial<PeopleQuestion>]>([
  ['', {}],
  ['?search=ana&who=all&sort=created', { search: 'ana', everybody: true, sort: 'created' }],
  ['?property=plan&value=pro', { property: { name: 'plan', operator: 'equals', value: 'pro' } }],
  ['?after=1700000000000.7', { after: { at: 1_700_000_000_000, number: 7 } }],
  ['?after=1700000000000.7.alone', { after: { at: 1_700_000_000_000, number: 7, alone: true } }],
  [
    '?cohort=7&sort=revenue&range=all_time&column=plan&column=seats',
    { cohort: 7, sort: 'revenue', range: 'all_time', columns: ['plan', 'seats'] },
  ],
  [
    '?sort=events&from=2026-11-01&to=2026-11-07&after=v12.5.42',
    { sort: 'events', range: { from: '2026-11-01', to: '2026-11-07' }, after: { value: 12.5, number: 42 } },
  ],
])('says in the address what is shown: %s', (search, changes) => {
  const question = { ...noQuestion, ...changes };
  expect(peopleAddress('2', question)).toBe(`/project/2/persons${search}`);
  expect(readPeople(new URLSearchParams(search))).toEqual(question);
});

it('begins at the start for a place that cannot be', () => {
  for (const after of ['x', '1', '1.2.3', '1.2.alone.alone', '999999999999999.1', 'v1', 'v1.2.3.4']) {
    expect(readPeople(new URLSearchParams({ after })).after).toBeNull();
  }
});
