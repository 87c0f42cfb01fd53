import { ownTokenOf } from '#src/parts.ts';
import { testConfig } from '#test/kit/deps.ts';

const own = { token: 'lnt_own' };
const upstream = { PUBLIC_POSTHOG_HOST: 'https://us.i.posthog.com' };

it.each([
  ['the built-in project’s while events are stored', {}, own, 'lnt_own'],
  ['none before the database was reached', {}, null, null],
  ['the one that was set', { PUBLIC_POSTHOG_KEY: 'phc_set' }, own, 'phc_set'],
  ['the one that was set, at an upstream', { ...upstream, PUBLIC_POSTHOG_KEY: 'phc_set' }, own, 'phc_set'],
  ['none at an upstream that knows no other', upstream, own, null],
  ['the built-in project’s while events are mirrored', { ...upstream, INGEST_MODE: 'mirror' as const }, own, 'lnt_own'],
])('own telemetry reports with %s', (_case, settings, project, wanted) => {
  expect(ownTokenOf({ ...testConfig(), ...settings }, project)).toBe(wanted);
});
