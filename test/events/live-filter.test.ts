import type { LiveFilter, LiveRow } from '#src/events/contract.ts';
import { liveTest } from '#src/events/live-filter.ts';

const row: LiveRow = {
  ts: 1,
  receivedAt: 1,
  uuid: 'u',
  event: '$pageview',
  detail: '/a/b',
  person: { uuid: 'p', identified: true, label: null, distinctId: 'd' },
  path: '/a/b',
  country: 'BR',
  bot: false,
};

it.each<[LiveFilter | undefined, boolean]>([
  [undefined, true],
  [{}, true],
  [{ names: [] }, true],
  [{ names: ['ping', '$pageview'] }, true],
  [{ names: ['ping'] }, false],
  [{ exceptNames: ['$pageview'] }, false],
  [{ exceptNames: ['ping'] }, true],
  [{ page: '/a/b' }, true],
  [{ page: '/a' }, false],
  [{ page: '/a*' }, true],
  [{ countries: ['PT', 'BR'] }, true],
  [{ countries: ['PT'] }, false],
  [{ who: 'identified' }, true],
  [{ who: 'anonymous' }, false],
  [{ bots: 'hide' }, true],
  [{ bots: 'only' }, false],
  [{ names: ['$pageview'], who: 'anonymous' }, false],
])('%j', (filter, isWanted) => {
  expect(liveTest(filter)(row)).toBe(isWanted);
});

it('does not hold a page against what happened on none', () => {
  expect(liveTest({ page: '*' })({ ...row, path: null })).toBe(false);
  expect(liveTest({ countries: ['BR'] })({ ...row, country: null })).toBe(false);
});
