/**
 * Remote configuration of clients: settings that they load at start, and empty responses for features that are
 * not supported (surveys). Pure.
 */
import type { JsonObject } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';

/** Settings of a project as clients read them. @param hasFlags whether a flag is active */
export function remoteConfig(token: string, settings: ProjectSettings, hasFlags: boolean): JsonObject {
  return {
    token,
    // Absent while there are none: clients ask then, too, and what waits for their answer goes on.
    ...(hasFlags && { hasFeatureFlags: true }),
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
export function remoteConfigScript(token: string, settings: ProjectSettings, hasFlags: boolean): string {
  const name = inScript(token);
  const config = inScript({ config: remoteConfig(token, settings, hasFlags), siteApps: [] });
  return `(function(w){w._POSTHOG_REMOTE_CONFIG=w._POSTHOG_REMOTE_CONFIG||{};w._POSTHOG_REMOTE_CONFIG[${name}]=${config}})(window);\n`;
}

/** JSON that stays data wherever a script stands. */
function inScript(value: string | JsonObject): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Lists that clients ask for; what is not built has none. */
export const emptyLists: Readonly<Record<string, JsonObject>> = {
  '/api/surveys': { surveys: [] },
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/web_experiments': { experiments: [] },
  '/api/product_tours': { product_tours: [] },
};
