/** What clients are to record. Pure. @see docs/replay.md */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { escaped } from '#src/kit/patterns/values.ts';
import type { ReplaySettings } from '#src/projects/contract.ts';
import type { RecordingBudget } from './contract.ts';

/** Events after which a session is a problem, besides those that the project names. */
const PROBLEMS = ['$exception', '$rageclick'];
/** Part of the sample that is recorded while the budget is nearly used up. */
const THINNED = 0.5;

/** `sessionRecording` of the remote config; false: nothing is recorded. */
export function recordingConfig(replay: ReplaySettings, budget: RecordingBudget): JsonValue {
  if (replay.mode === 'off' || budget === 'full') return false;
  return {
    endpoint: '/s/',
    recorderVersion: 'v2',
    consoleLogRecordingEnabled: replay.console,
    networkPayloadCapture: replay.network ? { recordBody: false, recordHeaders: false } : null,
    recordCanvas: false,
    masking: maskingOf(replay),
    linkedFlag: null,
    urlBlocklist: replay.neverPaths.map(asTrigger),
    ...triggersOf(replay, sampleRateOf(replay, budget)),
  };
}

/** Part of the sessions in the sample, 0 to 1. */
function sampleRateOf({ mode, samplePercent }: ReplaySettings, budget: RecordingBudget): number {
  const rate = mode === 'all' ? 1 : samplePercent / 100;
  return Number((budget === 'thin' ? rate * THINNED : rate).toFixed(6));
}

/** Groups for clients that know them, and fields that say the same, or the nearest to it, to older ones. */
function triggersOf({ mode, events, onlyPaths, minimumSeconds }: ReplaySettings, rate: number): JsonObject {
  const urls = onlyPaths.map(asTrigger);
  const older = {
    sampleRate: rate === 1 ? null : String(rate),
    minimumDurationMilliseconds: minimumSeconds * 1000,
    urlTriggers: urls,
  };
  if (mode !== 'problems') return { ...older, version: 1, eventTriggers: [], triggerMatchType: 'all' };
  const names = [...new Set([...PROBLEMS, ...events])];
  const problems = {
    id: 'problems',
    name: 'Problems',
    sampleRate: 1,
    conditions: { matchType: 'any', events: names.map((name) => ({ name })) },
  };
  const sample = {
    id: 'sample',
    name: 'Sample',
    sampleRate: rate,
    minDurationMs: minimumSeconds * 1000,
    conditions: { matchType: 'any', ...(urls.length > 0 && { urls }) },
  };
  return {
    ...older,
    // A recording of a problem may be short.
    minimumDurationMilliseconds: null,
    sampleRate: String(rate),
    eventTriggers: names,
    triggerMatchType: 'any',
    version: 2,
    triggerGroups: rate === 0 ? [problems] : [problems, sample],
  };
}

function maskingOf({ masking, maskSelectors, blockSelectors }: ReplaySettings): JsonObject {
  const text = masking === 'text' ? '*' : maskSelectors.join(', ');
  return {
    maskAllInputs: true,
    ...(text !== '' && { maskTextSelector: text }),
    ...(blockSelectors.length > 0 && { blockSelector: blockSelectors.join(', ') }),
  };
}

/** A path with `*` as a pattern on the whole address. */
function asTrigger(path: string): JsonObject {
  const pattern = path.split('*').map(escaped).join('.*');
  return { url: `^[a-z]+://[^/]+${pattern}/?(?:[?#].*)?$`, matching: 'regex' };
}
