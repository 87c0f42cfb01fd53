/**
 * Answers to flags calls, in the form of each version of the call. Old clients ignore the settings file and read everything from here, so that
 * holds the same settings. Pure.
 */
import type { FlagAnswer, FlagAnswers } from '#src/flags/flags.ts';
import type { JsonObject } from '#src/kit/json.ts';

const END = Buffer.from('}}');

export interface FlagsCall {
  /** The `v` parameter; 0 when absent. */
  version: number;
  /** Settings to merge in, for clients that read them here. */
  config: JsonObject | null;
  requestId: string;
  nowMs: number;
}

/** The answer of `/flags` as JSON. */
export function flagsAnswer(answers: FlagAnswers, { version, config, requestId, nowMs }: FlagsCall): string | Buffer {
  if (version >= 2) return records({ ...config, requestId, evaluatedAt: nowMs }, answers);
  return JSON.stringify({ ...config, ...values(answers), requestId });
}

/** The response of `/decide` as JSON, in the format of the requested version; always with settings. */
export function decideAnswer(answers: FlagAnswers, { version, config, requestId, nowMs }: FlagsCall): string | Buffer {
  const legacy: JsonObject = {
    ...config,
    config: { enable_collect_everything: config?.['autocapture_opt_out'] !== true },
    editorParams: {},
    isAuthenticated: false,
  };
  if (version >= 4) return records({ ...legacy, requestId, evaluatedAt: nowMs }, answers);
  if (version === 3) return JSON.stringify({ ...legacy, ...values(answers), requestId });
  const enabled = decided(answers).filter(({ result }) => result.value !== false);
  const featureFlags = version === 2 ? valuesOf(enabled) : enabled.map(({ key }) => key);
  return JSON.stringify({ ...legacy, featureFlags });
}

/** Records are JSON already. */
function records(rest: JsonObject, { list, hasErrors }: FlagAnswers): Buffer {
  const before = JSON.stringify({ ...rest, errorsWhileComputingFlags: hasErrors });
  const [first, ...others] = list.map(({ member }) => member);
  const flags = first === undefined ? [] : [first.subarray(1), ...others];
  return Buffer.concat([Buffer.from(`${before.slice(0, -1)},"flags":{`), ...flags, END]);
}

function values(answers: FlagAnswers): JsonObject {
  const list = decided(answers);
  const payloads = list.flatMap(({ key, payload }) => (payload === null ? [] : [[key, payload] as const]));
  return {
    errorsWhileComputingFlags: answers.hasErrors,
    featureFlags: valuesOf(list),
    featureFlagPayloads: Object.fromEntries(payloads),
  };
}

function valuesOf(list: readonly FlagAnswer[]): JsonObject {
  return Object.fromEntries(list.map(({ key, result }) => [key, result.value]));
}

/** These forms have no word for "could not be decided": clients keep what they have. */
function decided({ list }: FlagAnswers): FlagAnswer[] {
  return list.filter(({ result }) => !result.failed);
}
