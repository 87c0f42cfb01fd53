import type { PeopleQuery } from '#src/insights/query/people/contract.ts';
import { cohortsUsing, draftOf, missingIn, newCondition, peopleOfDraft } from '#views/screens/cohorts/cohort-draft.ts';

const order = { event: 'order' };

it.each<[string, PeopleQuery['of'][number]]>([
  ['did', { did: order, times: 3, within: 'last_7_days' }],
  ['firstDid', { firstDid: order, within: 'last_28_days' }],
  ['stopped', { stopped: order, within: 'last_30_days' }],
  ['sequence', { sequence: [{ event: 'cart' }, order], days: 2, within: 'all_time' }],
  ['first', { firstSeen: 'last_90_days' }],
])('says a condition as a form and back: %s', (kind, criterion) => {
  const people: PeopleQuery = { match: 'any', of: [criterion] };
  const { match, conditions } = draftOf(people);
  expect(conditions.map((each) => [each.kind, each.kept])).toEqual([[kind, null]]);
  expect(missingIn(conditions)).toEqual([]);
  expect(peopleOfDraft(match, conditions)).toEqual(people);
});

it.each<[string, PeopleQuery['of'][number]]>([
  ['three steps', { sequence: [order, order, order], days: 2, within: 'all_time' }],
  ['the opposite', { stopped: order, within: 'last_30_days', not: true }],
  ['any of several events', { firstDid: { any: [order, { event: 'cart' }] }, within: 'last_30_days' }],
])('keeps what it cannot say: %s', (_, criterion) => {
  const { match, conditions } = draftOf({ match: 'all', of: [criterion] });
  expect(peopleOfDraft(match, conditions).of).toEqual([criterion]);
});

it('asks for both events of a sequence, and for days', () => {
  const condition = newCondition({ kind: 'sequence', event: 'cart', days: '400' });
  expect(missingIn([condition])).toEqual([`next-${condition.key}`, `days-${condition.key}`]);
});

it('knows which cohorts lead to one, also through others and within conditions of events', () => {
  const inCohort = (name: string) => ({
    about: 'person' as const,
    name: '$cohort',
    operator: 'equals' as const,
    values: [name],
  });
  const has = (name: string) => ({ has: { name: '$cohort', operator: 'notEquals' as const, values: [name] } });
  const filters = { match: 'all' as const, of: [inCohort('Second')] };
  const cohorts: { id: number; name: string; people: PeopleQuery | null }[] = [
    { id: 1, name: 'First', people: { match: 'all', of: [has('List')] } },
    { id: 2, name: 'Second', people: { match: 'any', of: [{ firstSeen: 'today' }, has('FIRST')] } },
    {
      id: 3,
      name: 'Third',
      people: { match: 'all', of: [{ did: { event: 'order', filters }, times: 1, within: 'today' }] },
    },
    { id: 4, name: 'List', people: null },
  ];
  expect([...cohortsUsing(cohorts, 1)]).toEqual([1, 2, 3]);
  expect([...cohortsUsing(cohorts, 3)]).toEqual([3]);
  expect([...cohortsUsing(cohorts, 4)].toSorted()).toEqual([1, 2, 3, 4]);
});
