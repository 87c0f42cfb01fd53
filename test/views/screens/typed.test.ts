/** Forms with a list of things to add: what was typed and not added yet is saved as well, or said to be wrong. */

import { inputOf, newDraft, withTyped } from '#views/reports/report-draft.ts';
import { draftOf, noTarget, targetsOf, wrongIn } from '#views/screens/alerts/alert-draft.ts';

it('saves the address of a report', () => {
  const draft = newDraft('summary', 1, 'en');
  expect(withTyped(draft)).toEqual(draft);
  const whole = withTyped({ ...draft, typed: ' boss@example.com ' });
  const boss = { kind: 'address', address: 'boss@example.com', language: 'en' };
  expect(inputOf(whole as never).recipients).toEqual([{ kind: 'member', account: 1 }, boss]);
  // Once, however it is written.
  const again = withTyped({ ...(whole as NonNullable<typeof whole>), typed: 'Boss@example.com' });
  expect(again?.addresses).toEqual([{ ...boss, address: 'Boss@example.com' }]);
  expect(withTyped({ ...draft, typed: 'boss' })).toBeNull();
});

it('saves the target of an alert', () => {
  const draft = { ...draftOf(null, new URLSearchParams()), name: 'Orders' };
  const url = 'https://hooks.example.com/1';
  expect(wrongIn(draft)).toEqual([]);
  expect(targetsOf(draft)).toEqual([]);
  expect(targetsOf({ ...draft, begun: { ...noTarget, kind: 'webhook', url } })).toEqual([{ kind: 'webhook', url }]);
  expect(wrongIn({ ...draft, begun: { ...noTarget, kind: 'webhook', url: 'hooks' } })).toEqual(['target']);
  expect(wrongIn({ ...draft, begun: { ...noTarget, kind: 'email' } })).toEqual(['target']);
});
