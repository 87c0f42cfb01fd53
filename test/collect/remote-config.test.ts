import { createContext, runInContext } from 'node:vm';
import { decideAnswer, flagsAnswer, remoteConfig, remoteConfigScript } from '#src/collect/remote-config.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { projectSettings } from '#src/projects/contract.ts';

const settings = projectSettings.parse({});
const run = (token: string, own = settings) => {
  const window: Record<string, unknown> = {};
  runInContext(remoteConfigScript(token, own), createContext({ window }));
  return window['_POSTHOG_REMOTE_CONFIG'] as Record<string, { config: JsonObject; siteApps: unknown[] }>;
};

it('holds what clients wait for', () => {
  const config = remoteConfig('lnt_a', settings);
  expect(config).toMatchObject({
    supportedCompression: ['gzip', 'gzip-js'],
    autocapture_opt_out: false,
    sessionRecording: false,
    elementsChainAsString: true,
    analytics: { endpoint: '/i/v0/e/' },
  });
});

it('lets clients ask for flags, so that what waits for them goes on', () => {
  expect(remoteConfig('lnt_a', settings)).not.toHaveProperty('hasFeatureFlags');
});

it('follows the project', () => {
  const off = { ...settings, autocapture: false, exceptionCapture: false, webVitals: false };
  expect(remoteConfig('lnt_a', off)).toMatchObject({
    autocapture_opt_out: true,
    autocaptureExceptions: false,
    capturePerformance: false,
  });
});

it('is a script that leaves its settings where the client looks', () => {
  expect(run('lnt_a')['lnt_a']).toEqual({ config: remoteConfig('lnt_a', settings), siteApps: [] });
});

it('stays data whatever the token holds', () => {
  const token = '</script><!--"\'`';
  expect(remoteConfigScript(token, settings)).not.toMatch(/<\/|<!/);
  expect(Object.keys(run(token))).toEqual([token]);
});

describe('flags', () => {
  const config = remoteConfig('lnt_a', settings);
  it('are none, in every version of the answer', () => {
    expect(flagsAnswer(2, null, 'r', 5)).toEqual({
      errorsWhileComputingFlags: false,
      flags: {},
      requestId: 'r',
      evaluatedAt: 5,
    });
    expect(flagsAnswer(2, config, 'r', 5)).toMatchObject({ flags: {}, supportedCompression: ['gzip', 'gzip-js'] });
    expect(flagsAnswer(0, config, 'r', 5)).toMatchObject({
      featureFlags: {},
      featureFlagPayloads: {},
      autocapture_opt_out: false,
    });
    expect(decideAnswer(1, config, 'r', 5)).toMatchObject({ featureFlags: [] });
    expect(decideAnswer(2, config, 'r', 5)).toMatchObject({
      featureFlags: {},
      config: { enable_collect_everything: true },
      editorParams: {},
    });
    expect(decideAnswer(3, config, 'r', 5)).toMatchObject({ featureFlags: {}, featureFlagPayloads: {} });
    expect(decideAnswer(4, config, 'r', 5)).toMatchObject({ flags: {}, isAuthenticated: false });
  });

  it('tell the oldest clients, too, that a project does not want clicks', () => {
    const quiet = remoteConfig('lnt_a', { ...settings, autocapture: false });
    expect(decideAnswer(2, quiet, 'r', 5)).toMatchObject({ config: { enable_collect_everything: false } });
  });
});
