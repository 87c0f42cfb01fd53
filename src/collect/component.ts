/**
 * The web-analytics component (`@vercel/analytics`): our own script for it, and the views and events that the script or the package's
 * server part sends, as raw events of a visitor without storage. @see views/component.ts
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { AppError } from '#src/kit/errors.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { Project } from '#src/projects/projects.ts';
import { isObject } from './envelope.ts';
import { put } from './steps/draft.ts';
import { COOKIELESS_ID, isOriginAllowed } from './steps/names.ts';

/** A parsed path below `/va`. */
export interface ComponentPath {
  token: string | null;
  what: 'script' | 'view' | 'event' | 'session';
}

/** `/va/<token>/script.js`, `/va/<token>/view` …, and the same without a token. */
export function componentPath(path: string): ComponentPath | null {
  const [, token, what] = /^\/va(?:\/([^/]+))?\/(script\.js|view|event|session)$/.exec(path) ?? [];
  if (what === undefined) return null;
  return { token: token ?? null, what: what === 'script.js' ? 'script' : (what as 'view' | 'event' | 'session') };
}

/**
 * A view or event as a raw event.
 *
 * @throws invalid when it is neither
 */
export function componentEvent(value: JsonValue, kind: 'view' | 'event'): JsonObject {
  if (!isObject(value)) throw new AppError('invalid', 'No page view or event in the request body.');
  const { o: url, r: referrer, ts, w: width, dp: route, en: name, ed: data, sdkn, sdkv } = value;
  const properties: JsonObject = {};
  if (isObject(data)) for (const key of Object.keys(data)) put(properties, key, data[key] as JsonValue);
  const isFromServer = typeof sdkn === 'string' && sdkn.endsWith('/server');
  Object.assign(properties, {
    $lib: isFromServer ? 'web-analytics-server' : 'web-analytics',
    $cookieless_mode: true,
  });
  if (typeof sdkv === 'string') properties['$lib_version'] = sdkv;
  if (typeof url === 'string') properties['$current_url'] = url;
  if (typeof referrer === 'string' && referrer !== '') properties['$referrer'] = referrer;
  if (typeof route === 'string' && route !== '') properties['$route'] = route;
  if (typeof width === 'number') properties['$viewport_width'] = width;
  const event: JsonObject = {
    event: kind === 'view' ? '$pageview' : (name ?? ''),
    distinct_id: COOKIELESS_ID,
    properties,
  };
  if (typeof ts === 'number') event['timestamp'] = ts;
  return event;
}

/** The project token that a body names itself, or null. */
export function tokenInBody(value: JsonValue): string | null {
  const dsn = isObject(value) ? value['dsn'] : null;
  return typeof dsn === 'string' && dsn !== '' ? dsn : null;
}

/** The only project that lists the page's site; null when there is none, or several. */
export function projectByHost(value: JsonValue, projects: readonly Project[]): Project | null {
  const url = isObject(value) && typeof value['o'] === 'string' ? URL.parse(value['o']) : null;
  if (url === null) return null;
  const named = projects.filter(
    ({ settings: { allowedOrigins } }) => allowedOrigins.length > 0 && isOriginAllowed(url.origin, allowedOrigins),
  );
  return named.length === 1 ? (named[0] as Project) : null;
}

/** The script for a project: it knows the project's tokens, so that it does not count what posthog-js counts. */
export function scriptFor(script: string, tokens: readonly string[]): string {
  const list = JSON.stringify(tokens).replaceAll('<', '\\u003c');
  return `window.lunetaTokens=${list};\n${script}`;
}

/** The built script; from its source where nothing was built (tests, and programs run from source). */
export async function loadComponentScript(): Promise<string> {
  const built = ['./component.js', '../component.js'].map((place) => new URL(place, import.meta.url)).find(existsSync);
  if (built !== undefined) return readFile(built, 'utf8');
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [new URL('../../views/component.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}
