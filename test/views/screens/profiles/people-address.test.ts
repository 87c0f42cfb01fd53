import { type PeopleQuestion, peopleAddress, readPeople } from '#views/screens/profiles/people-address.ts';

const plain: PeopleQuestion = { search: '', property: null, everybody: false, sort: 'seen', after: null };

it.each<[string, Partial<PeopleQuestion>]>([
  ['', {}],
  ['?search=ana&who=all&sort=created', { search: 'ana', everybody: true, sort: 'created' }],
  ['?property=plan&value=pro', { property: { name: 'plan', operator: 'equals', value: 'pro' } }],
  ['?after=1700000000000.7', { after: { at: 1_700_000_000_000, number: 7 } }],
  ['?after=1700000000000.7.alone', { after: { at: 1_700_000_000_000, number: 7, alone: true } }],
])('says in the address what is shown: %s', (search, changes) => {
  const question = { ...plain, ...changes };
  expect(peopleAddress('2', question)).toBe(`/project/2/persons${search}`);
  expect(readPeople(new URLSearchParams(search))).toEqual(question);
});

it('begins at the start for a place that cannot be', () => {
  for (const after of ['x', '1', '1.2.3', '1.2.alone.alone', '999999999999999.1']) {
    expect(readPeople(new URLSearchParams({ after })).after).toBeNull();
  }
});
