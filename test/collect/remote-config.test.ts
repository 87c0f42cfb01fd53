import { createContext, runInContext } from 'node:vm';
import { decideAnswer, flagsAnswer } from '#src/collect/flag-answers.ts';
import type { RecordingBudget } from '#src/collect/recordings/contract.ts';
import { remoteConfig, remoteConfigScript } from '#src/collect/remote-config.ts';
import { type FlagAnswers, noAnswers } from '#src/flags/flags.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { projectSettings, type ReplaySettings } from '#src/projects/contract.ts';

const settings = projectSettings.parse({});
const NO_FLAGS = { hasFlags: false, budget: 'ok' } as const;
const run = (token: string, own = settings) => {
  const window: Record<string, unknown> = {};
  runInContext(remoteConfigScript(token, own, NO_FLAGS), createContext({ window }));
  return window['_POSTHOG_REMOTE_CONFIG'] as Record<string, { config: JsonObject; siteApps: unknown[] }>;
};

it('holds what clients wait for', () => {
  const config = remoteConfig('lnt_a', settings, NO_FLAGS);
  expect(config).toMatchObject({
    supportedCompression: ['gzip', 'gzip-js'],
    autocapture_opt_out: false,
    sessionRecording: false,
    elementsChainAsString: true,
    analytics: { endpoint: '/i/v0/e/' },
  });
});

it('lets clients ask for flags, so that what waits for them goes on', () => {
  expect(remoteConfig('lnt_a', settings, NO_FLAGS)).not.toHaveProperty('hasFeatureFlags');
});

it('follows the project', () => {
  const off = { ...settings, autocapture: false, exceptionCapture: false, webVitals: false };
  expect(remoteConfig('lnt_a', off, NO_FLAGS)).toMatchObject({
    autocapture_opt_out: true,
    autocaptureExceptions: false,
    capturePerformance: false,
  });
});

describe('recordings', () => {
  const record = (replay: Partial<ReplaySettings>, budget: RecordingBudget = 'ok') => {
    const own = projectSettings.parse({ replay });
    return remoteConfig('lnt_a', own, { hasFlags: false, budget })['sessionRecording'];
  };

  it('are off until the project wants them, and while its budget is used up', () => {
    expect(record({})).toBe(false);
    expect(record({ mode: 'all' }, 'full')).toBe(false);
    expect(record({ mode: 'all' })).toMatchObject({
      endpoint: '/s/',
      sampleRate: null,
      consoleLogRecordingEnabled: true,
      networkPayloadCapture: { recordBody: false, recordHeaders: false },
      recordCanvas: false,
      masking: { maskAllInputs: true },
      minimumDurationMilliseconds: 5000,
    });
  });

  it('are of problems by groups, with fields of the same meaning for older clients', () => {
    expect(record({ mode: 'problems', samplePercent: 10, events: ['checkout failed'] })).toMatchObject({
      version: 2,
      triggerGroups: [
        {
          id: 'problems',
          sampleRate: 1,
          conditions: {
            matchType: 'any',
            events: [{ name: '$exception' }, { name: '$rageclick' }, { name: 'checkout failed' }],
          },
        },
        { id: 'sample', sampleRate: 0.1, minDurationMs: 5000, conditions: { matchType: 'any' } },
      ],
      eventTriggers: ['$exception', '$rageclick', 'checkout failed'],
      triggerMatchType: 'any',
      sampleRate: '0.1',
    });
    expect(record({ mode: 'problems', samplePercent: 0 })).toMatchObject({
      triggerGroups: [{ id: 'problems' }],
      sampleRate: '0',
    });
  });

  it('are of half the sample while the budget is nearly used up', () => {
    expect(record({ mode: 'sample', samplePercent: 25 })).toMatchObject({ sampleRate: '0.25' });
    expect(record({ mode: 'sample', samplePercent: 25 }, 'thin')).toMatchObject({ sampleRate: '0.125' });
    expect(record({ mode: 'all' }, 'thin')).toMatchObject({ sampleRate: '0.5' });
  });

  it('mask, block and pause as the project says', () => {
    const config = record({
      mode: 'all',
      masking: 'text',
      blockSelectors: ['.card', '#map'],
      onlyPaths: ['/checkout/*'],
      neverPaths: ['/account'],
      console: false,
      network: false,
    }) as JsonObject;
    expect(config).toMatchObject({
      masking: { maskAllInputs: true, maskTextSelector: '*', blockSelector: '.card, #map' },
      consoleLogRecordingEnabled: false,
      networkPayloadCapture: null,
    });
    const matches = (list: JsonValue | undefined, url: string) =>
      new RegExp((list as [{ url: string }])[0].url).test(url);
    expect(matches(config['urlTriggers'], 'https://shop.example/checkout/pay?x=1')).toBe(true);
    expect(matches(config['urlTriggers'], 'https://shop.example/cart')).toBe(false);
    expect(matches(config['urlBlocklist'], 'https://shop.example/account/#top')).toBe(true);
    expect(matches(config['urlBlocklist'], 'https://shop.example/accounts')).toBe(false);
  });

  it('of requests need the timings that the client measures', () => {
    const own = projectSettings.parse({ webVitals: false, replay: { mode: 'all' } });
    expect(remoteConfig('lnt_a', own, NO_FLAGS)['capturePerformance']).toMatchObject({
      network_timing: true,
      web_vitals: false,
    });
  });
});

it('is a script that leaves its settings where the client looks', () => {
  expect(run('lnt_a')['lnt_a']).toEqual({ config: remoteConfig('lnt_a', settings, NO_FLAGS), siteApps: [] });
});

it('stays data with any token', () => {
  const token = '</script><!--"\'`';
  expect(remoteConfigScript(token, settings, NO_FLAGS)).not.toMatch(/<\/|<!/);
  expect(Object.keys(run(token))).toEqual([token]);
});

describe('flags', () => {
  const config = remoteConfig('lnt_a', settings, { ...NO_FLAGS, hasFlags: true });
  const call = { requestId: 'r', nowMs: 5 };
  const flags = (answers: FlagAnswers, version: number, own: JsonObject | null = null): unknown =>
    JSON.parse(String(flagsAnswer(answers, { ...call, version, config: own })));
  const decide = (answers: FlagAnswers, version: number, own: JsonObject | null = config): unknown =>
    JSON.parse(String(decideAnswer(answers, { ...call, version, config: own })));

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
    const of = (key: string, value: boolean | string, failed = false) => {
      const record = JSON.stringify({ key, enabled: value !== false });
      return {
        key,
        result: { value, reason: 'condition_match', condition: 0, failed } as const,
        payload: value === false ? null : '{"a":1}',
        member: Buffer.from(`,${JSON.stringify(key)}:${record}`),
      };
    };
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
    const quiet = remoteConfig('lnt_a', { ...settings, autocapture: false }, NO_FLAGS);
    expect(decide(noAnswers, 2, quiet)).toMatchObject({ config: { enable_collect_everything: false } });
  });
});
