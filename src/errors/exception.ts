/** Exceptions as clients send them, read into one bounded shape. Pure. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { Exception, Frame } from './contract.ts';

const MAX_EXCEPTIONS = 20;
const MAX_FRAMES = 50;
const MAX_TYPE = 200;
const MAX_VALUE = 2_000;
const MAX_TEXT = 1_000;
const MAX_SOURCE_LINE = 500;
const MAX_SOURCE_LINES = 7;

/** The exceptions of an event: what was caught first, its causes after it. Never empty. */
export function readExceptions(properties: JsonObject): Exception[] {
  const list = properties['$exception_list'];
  const found = Array.isArray(list) ? list.slice(0, MAX_EXCEPTIONS).flatMap(readException) : [];
  return found.length > 0 ? found : [readOldForm(properties)];
}

/** Clients before `$exception_list` sent type and message by themselves. */
function readOldForm(properties: JsonObject): Exception {
  const type = text(properties['$exception_type'], MAX_TYPE) ?? 'Error';
  const value = text(properties['$exception_message'], MAX_VALUE) ?? '';
  return { type, value, handled: null, isCause: false, frames: [] };
}

function readException(item: JsonValue): Exception[] {
  if (!isObject(item)) return [];
  const mechanism = isObject(item['mechanism']) ? item['mechanism'] : {};
  const stack = isObject(item['stacktrace']) ? item['stacktrace'] : {};
  const frames = Array.isArray(stack['frames']) ? stack['frames'] : [];
  const { handled } = mechanism;
  return [
    {
      type: text(item['type'], MAX_TYPE) || 'Error',
      value: text(item['value'], MAX_VALUE) ?? '',
      handled: typeof handled === 'boolean' ? handled : null,
      isCause: mechanism['type'] === 'chained' || typeof mechanism['parent_id'] === 'number',
      // The crash is last: of a longer stack the end is kept.
      frames: frames.slice(-MAX_FRAMES).flatMap(readFrame),
    },
  ];
}

function readFrame(item: JsonValue): Frame[] {
  if (!isObject(item)) return [];
  const file = text(item['filename'], MAX_TEXT) ?? text(item['abs_path'], MAX_TEXT) ?? '';
  const context = text(item['context_line'], MAX_SOURCE_LINE);
  return [
    {
      file,
      function: text(item['function'], MAX_TEXT) ?? '',
      line: count(item['lineno']),
      column: count(item['colno']),
      // Older clients call native code the application's own.
      inApp: item['in_app'] !== false && file !== '' && file !== '<anonymous>' && !/node_modules\/|^node:/.test(file),
      chunk: text(item['chunk_id'], MAX_TYPE),
      source:
        context === null
          ? null
          : { before: lines(item['pre_context']), line: context, after: lines(item['post_context']) },
      built: null,
    },
  ];
}

function lines(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(-MAX_SOURCE_LINES).map((line) => text(line, MAX_SOURCE_LINE) ?? '');
}

/** The release of the code that threw; null: the client did not say. */
export function readRelease(properties: JsonObject): string | null {
  const named = properties['_posthogRelease'];
  const own = isObject(named) ? named['version'] : undefined;
  const { $release, $app_version, release, app_version, $release_id } = properties;
  for (const value of [own, $release, release, $app_version, app_version, $release_id]) {
    const version = text(value, 100)?.trim();
    if (version) return version;
  }
  return null;
}

const levels = new Set(['fatal', 'error', 'warning', 'log', 'info', 'debug']);

export function readLevel({ $exception_level: level }: JsonObject): string {
  return typeof level === 'string' && levels.has(level) ? level : 'error';
}

/** True unless the code that threw caught it by itself. */
export function isUnhandled(exceptions: readonly Exception[]): boolean {
  return exceptions[0]?.handled === false;
}

/** Where it was thrown, in a few words; '' without frames. */
export function culpritOf(exceptions: readonly Exception[]): string {
  const frames = exceptions[0]?.frames ?? [];
  const frame = frames.findLast(({ inApp }) => inApp) ?? frames.at(-1);
  if (frame === undefined) return '';
  const place = frame.line === null ? shortFile(frame.file) : `${shortFile(frame.file)}:${frame.line}`;
  return (frame.function === '' || frame.function === '?' ? place : `${frame.function} · ${place}`).slice(0, 300);
}

/** Path without origin and query. */
export function shortFile(file: string): string {
  return file.replace(/^(?:[a-z][a-z\d+.-]*:\/\/[^/]*|webpack:\/+[^/]*|file:\/\/)\//i, '').replace(/[?#].*$/, '');
}

function text(value: JsonValue | undefined, limit: number): string | null {
  return typeof value === 'string' ? value.slice(0, limit) : typeof value === 'number' ? String(value) : null;
}

function count(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
