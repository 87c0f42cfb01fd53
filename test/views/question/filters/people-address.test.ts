/** Sets of persons in the address: what is written is read again, and what makes no sense is left out. */
import type { PeopleChosen } from '#views/question/filters/people-address.ts';
import { addressOf, readQuestion } from '#views/question/question.ts';

const read = (search: string) => readQuestion(new URLSearchParams(search)).people;

const all: PeopleChosen = {
  match: 'any',
  of: [
    { did: { event: 'pedido: concluído | 100%' }, times: 1, within: 'all_time' },
    { did: { event: '$pageview' }, times: 12, within: { from: '2026-01-01', to: '2026-01-31' }, not: true },
    { did: { goal: 7 }, times: 3, within: 'last_7_days' },
    {
      did: {
        event: 'pedido; \\ "novo": 1',
        filters: {
          match: 'all',
          of: [
            { about: 'event', name: 'size', operator: 'equals', values: ['big; very', 'a|b', 'c:d', 'e\\'] },
            { about: 'event', name: 'due:at;', operator: 'onOrAfter', values: ['2026-11-30T14:00'] },
            { about: 'event', name: '$pathname', operator: 'isSet', values: [] },
          ],
        },
      },
      ...{ times: 2, within: { from: '2026-01-01', to: '2026-01-31' }, not: true },
    },
    {
      did: {
        event: 'any',
        filters: {
          match: 'any',
          of: [
            { about: 'event', name: 'any', operator: 'isSet', values: [] },
            { about: 'event', name: 'size', operator: 'equals', values: ['any'] },
          ],
        },
      },
      ...{ times: 1, within: 'all_time' },
    },
    { firstSeen: 'last_28_days' },
    { firstSeen: { from: '2026-01-01', to: '2026-01-31' }, not: true },
  ],
};

it('reads what it wrote', () => {
  const address = addressOf('/project/2/overview', { ...readQuestion(new URLSearchParams()), people: all });
  expect(read(new URL(address, 'http://here').search)).toEqual(all);
  expect(address).toContain('who=not-first:2026-01-01..2026-01-31');
  expect(read('')).toBeNull();
});

it.each([
  'who=',
  'who=did',
  'who=did:purchase',
  'who=did:all_time:0:purchase',
  'who=did:all_time:1234567:purchase',
  'who=did:all_time:1:',
  `who=did:all_time:1:${'x'.repeat(401)}`,
  'who=did:some_day:1:purchase',
  'who=goal:all_time:x:1',
  'who=first:never',
  'who=first:2026-02-30..2026-03-01',
  'who=maybe-first:today',
  'who=did:all_time:1:%20%20',
  'who=did:all_time:1:a%01b',
  'who=first:1969-01-01..1970-02-01',
  'who=did:all_time:1:;size:equals:big',
  `who=did:all_time:1:${'x'.repeat(401)};size:equals:big`,
  'who=did:all_time:1:order;size:equals:big;seats:gt:many',
  'who=did:all_time:1:order;size:equals:big;',
  'who=did:all_time:1:order;any;size:equals:big;seats:gt:many',
  'who=did:all_time:1:order;size:equals:big;any',
  'who=did:all_time:1:order;any',
  `who=did:all_time:1:order${';size:equals:big'.repeat(21)}`,
])('leaves out %s', (search) => {
  expect(read(search)).toBeNull();
  expect(read(`${search}&who=first:today`)).toEqual({ match: 'all', of: [{ firstSeen: 'today' }] });
});

it.each(['paid', '0.5', '1e999', '99999999999'])('takes goal %s for one that is gone', (goal) => {
  expect(read(`who=goal:all_time:1:${goal}`)).toEqual({
    match: 'all',
    of: [{ did: { goal: 0 }, times: 1, within: 'all_time' }],
  });
});
