/**
 * Remote configuration of clients: settings that they load at start, and empty responses for features that are
 * not supported (surveys). Pure.
 */
import type { SuppressionRule } from '#src/errors/rules/contract.ts';
import type { RuleOperator } from '#src/errors/rules/values.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { RecordingBudget } from './recordings/contract.ts';
import { recordingConfig } from './recordings/recording-config.ts';

/** What a configuration depends on besides the project's settings. */
export interface ConfigState {
  /** A flag is active. */
  hasFlags: boolean;
  /** How the project stands to the budget of its recordings. */
  budget: RecordingBudget;
}

/** Settings of a project as clients read them. */
export function remoteConfig(token: string, settings: ProjectSettings, { hasFlags, budget }: ConfigState): JsonObject {
  const isNetworkRecorded = settings.replay.mode !== 'off' && settings.replay.network;
  return {
    token,
    // Absent while there are none: clients ask then, too, and what waits for their answer goes on.
    ...(hasFlags && { hasFeatureFlags: true }),
    supportedCompression: ['gzip', 'gzip-js'],
    captureDeadClicks: false,
    capturePerformance:
      settings.webVitals || isNetworkRecorded
        ? { network_timing: isNetworkRecorded, web_vitals: settings.webVitals, web_vitals_allowed_metrics: null }
        : false,
    autocapture_opt_out: !settings.autocapture,
    autocaptureExceptions: settings.exceptionCapture,
    analytics: { endpoint: '/i/v0/e/' },
    elementsChainAsString: true,
    errorTracking: {
      autocaptureExceptions: settings.exceptionCapture,
      suppressionRules: settings.suppressionRules.map(clientRule),
    },
    logs: { captureConsoleLogs: false },
    sessionRecording: recordingConfig(settings.replay, budget),
    heatmaps: settings.heatmaps,
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

const clientOperators: Record<RuleOperator, string> = {
  equals: 'exact',
  notEquals: 'is_not',
  contains: 'icontains',
  notContains: 'not_icontains',
};

function clientRule({ match, of }: SuppressionRule): JsonObject {
  return {
    type: match === 'all' ? 'AND' : 'OR',
    values: of.map(({ field, operator, value }) => ({
      key: field === 'type' ? '$exception_types' : '$exception_values',
      operator: clientOperators[operator],
      value,
      type: 'error_tracking_issue_property',
    })),
  };
}

/** The script that hands a page its settings. */
export function remoteConfigScript(token: string, settings: ProjectSettings, state: ConfigState): string {
  const name = inScript(token);
  const config = inScript({ config: remoteConfig(token, settings, state), siteApps: [] });
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
  '/api/web_experiments': { experiments: [] },
  '/api/product_tours': { product_tours: [] },
};
