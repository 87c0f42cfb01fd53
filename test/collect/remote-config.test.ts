import { createContext, runInContext } from 'node:vm';
import { decideAnswer, flagsAnswer } from '#src/collect/flag-answers.ts';
import { remoteConfig, remoteConfigScript } from '#src/collect/remote-config.ts';
import { type FlagAnswers, noAnswers } from '#src/flags/flags.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { projectSettings } from '#src/projects/contract.ts';

const settings = projectSettings.parse({});
const run = (token: string, own = settings) => {
  const window: Record<string, unknown> = {};
  runInContext(remoteConfigScript(token, own, false), createContext({ window }));
  return window['_POSTHOG_REMOTE_CONFIG'] as Record<string, { config: JsonObject; siteApps: unknown[] }>;
};

it('holds what clients wait for', () => {
  const config = remoteConfig('lnt_a', settings, false);
  expect(config).toMatchObject({
    supportedCompression: ['gzip', 'gzip-js'],
    autocapture_opt_out: false,
    sessionRecording: false,
    elementsChainAsString: true,
    analytics: { endpoint: '/i/v0/e/' },
  });
});

it('lets clients ask for flags, so that what waits for them goes on', () => {
  expect(remoteConfig('lnt_a', settings, false)).not.toHaveProperty('hasFeatureFlags');
});

it('follows the project', () => {
  const off = { ...settings, autocapture: false, exceptionCapture: false, webVitals: false };
  expect(remoteConfig('lnt_a', off, false)).toMatchObject({
    autocapture_opt_out: true,
    autocaptureExceptions: false,
    capturePerformance: false,
  });
});

it('is a script that leaves its settings where the client looks', () => {
  expect(run('lnt_a')['lnt_a']).toEqual({ config: remoteConfig('lnt_a', settings, false), siteApps: [] });
});

it('stays data with any token', () => {
  const token = '</script><!--"\'`';
  expect(remoteConfigScript(token, settings, false)).not.toMatch(/<\/|<!/);
  expect(Object.keys(run(token))).toEqual([token]);
});

describe('flags', () => {
  const config = remoteConfig('lnt_a', settings, true);
  const call = { requestId: 'r', nowMs: 5 };
  const flags = (answers: FlagAnswers, version: number, own: JsonObject | null = null): unknown =>
    JSON.parse(flagsAnswer(answers, { ...call, version, config: own }));
  const decide = (answers: FlagAnswers, version: number, own: JsonObject | null = config): unknown =>
    JSON.parse(decideAnswer(answers, { ...call, version, config: own }));

  it('are none, in every version of the answer', () => {
    expect(flags(noAnswers, 2)).toEqual({
      errorsWhileComputingFlags: false,
      flags: {},
      requestId: 'r',
      evaluatedAt: 5,
    });
    expect(flags(noAnswers, 0, config)).toMatchObject({
      featureFlags: {},
      featureFlagPayloads: {},
      hasFeatureFlags: true,
    });
    expect(decide(noAnswers, 1)).toMatchObject({ featureFlags: [] });
    expect(decide(noAnswers, 2)).toMatchObject({
      featureFlags: {},
      config: { enable_collect_everything: true },
      editorParams: {},
    });
    expect(decide(noAnswers, 4)).toMatchObject({ flags: {}, isAuthenticated: false });
  });

  it('have their values in the form of each version; what could not be decided is in the newest alone', () => {
    const of = (key: string, value: boolean | string, failed = false) => ({
      key,
      result: { value, reason: 'condition_match', condition: 0, failed } as const,
      payload: value === false ? null : '{"a":1}',
      record: JSON.stringify({ key, enabled: value !== false }),
    });
    const answers = {
      list: [of('on', true), of('off', false), of('test', 'b'), of('lost', false, true)],
      hasErrors: true,
    };
    expect(flags(answers, 2, config)).toMatchObject({
      errorsWhileComputingFlags: true,
      flags: { on: { enabled: true }, off: { enabled: false }, test: { enabled: true }, lost: { enabled: false } },
      supportedCompression: ['gzip', 'gzip-js'],
    });
    const values = { on: true, off: false, test: 'b' };
    const featureFlagPayloads = { on: '{"a":1}', test: '{"a":1}' };
    expect(flags(answers, 1)).toEqual({
      errorsWhileComputingFlags: true,
      featureFlags: values,
      featureFlagPayloads,
      requestId: 'r',
    });
    expect(decide(answers, 3)).toMatchObject({ featureFlags: values, featureFlagPayloads });
    expect(decide(answers, 2)).toMatchObject({ featureFlags: { on: true, test: 'b' } });
    expect(decide(answers, 1)).toMatchObject({ featureFlags: ['on', 'test'] });
  });

  it('tell the oldest clients, too, that a project does not want clicks', () => {
    const quiet = remoteConfig('lnt_a', { ...settings, autocapture: false }, false);
    expect(decide(noAnswers, 2, quiet)).toMatchObject({ config: { enable_collect_everything: false } });
  });
});
