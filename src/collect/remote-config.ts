/**
 * What we tell clients about themselves: settings that they load at start, and answers to what they ask about features that have
 * no home here yet (flags, surveys, recordings). Old clients ignore the settings file and read everything from the flags call, so that
 * holds the same settings. Pure.
 */
import type { JsonObject } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';

/** Settings of a project as clients read them. */
export function remoteConfig(token: string, settings: ProjectSettings): JsonObject {
  return {
    token,
    supportedCompression: ['gzip', 'gzip-js'],
    captureDeadClicks: false,
    capturePerformance: settings.webVitals
      ? { network_timing: false, web_vitals: true, web_vitals_allowed_metrics: null }
      : false,
    autocapture_opt_out: !settings.autocapture,
    autocaptureExceptions: settings.exceptionCapture,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: { autocaptureExceptions: settings.exceptionCapture, suppressionRules: [] },
    logs: { captureConsoleLogs: false },
    sessionRecording: false,
    heatmaps: false,
    surveys: false,
    productTours: false,
    conversations: false,
    defaultIdentifiedOnly: true,
    siteApps: [],
    isAuthenticated: false,
    toolbarParams: {},
    toolbarVersion: 'toolbar',
  };
}

/** The script that hands a page its settings. */
export function remoteConfigScript(token: string, settings: ProjectSettings): string {
  const name = inScript(token);
  const config = inScript({ config: remoteConfig(token, settings), siteApps: [] });
  return `(function(w){w._POSTHOG_REMOTE_CONFIG=w._POSTHOG_REMOTE_CONFIG||{};w._POSTHOG_REMOTE_CONFIG[${name}]=${config}})(window);\n`;
}

/** JSON that stays data wherever a script stands. */
function inScript(value: string | JsonObject): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The answer to a flags call: there are none.
 *
 * @param version the `v` parameter; 0 when absent
 * @param config settings to merge in, for clients that read them here
 */
export function flagsAnswer(version: number, config: JsonObject | null, requestId: string, nowMs: number): JsonObject {
  if (version >= 2) {
    return { ...config, errorsWhileComputingFlags: false, flags: {}, requestId, evaluatedAt: nowMs };
  }
  return { ...config, errorsWhileComputingFlags: false, featureFlags: {}, featureFlagPayloads: {}, requestId };
}

/** The answer of the older call, whose form changed with every version; settings always come along. */
export function decideAnswer(version: number, config: JsonObject | null, requestId: string, nowMs: number): JsonObject {
  const legacy: JsonObject = {
    ...config,
    config: { enable_collect_everything: config?.['autocapture_opt_out'] !== true },
    editorParams: {},
    isAuthenticated: false,
  };
  if (version >= 4) return { ...legacy, errorsWhileComputingFlags: false, flags: {}, requestId, evaluatedAt: nowMs };
  if (version === 3) {
    return { ...legacy, errorsWhileComputingFlags: false, featureFlags: {}, featureFlagPayloads: {}, requestId };
  }
  return { ...legacy, featureFlags: version === 2 ? {} : [] };
}

/** Flag definitions for servers that evaluate by themselves. */
export const noFlagDefinitions: JsonObject = { flags: [], group_type_mapping: {}, cohorts: {} };

/** Lists that clients ask for; what is not built has none. */
export const emptyLists: Readonly<Record<string, JsonObject>> = {
  '/api/surveys': { surveys: [] },
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/web_experiments': { experiments: [] },
  '/api/product_tours': { product_tours: [] },
};
