/**
 * A project's own rules for paths: which of them name the same page. Applied where paths are read, so the past follows them too; nothing
 * stored is changed. Reading what was read gives the same. Pure, and without Node: the screen of settings shows what they would change.
 */
import { pageSpelling } from '../../pages/values.ts';
import { escaped } from '../../patterns/values.ts';

export interface PathRules {
  /** `/a/` is `/a`. */
  trailingSlash: boolean;
  /** `/About` is `/about`. */
  letterCase: boolean;
  /** `/a/index.html` is `/a/`. */
  indexFiles: boolean;
  /** Numbers, UUIDs and long hexadecimal numbers between slashes are `:id`. */
  ids: boolean;
  /** `/#/cart` is a separate page. */
  hashRoutes: boolean;
  /** Pages that are one: `/products/:slug`; the first that fits is its name. */
  patterns: readonly string[];
}

export const noPathRules: PathRules = {
  trailingSlash: false,
  letterCase: false,
  indexFiles: false,
  ids: false,
  hashRoutes: false,
  patterns: [],
};

export const MAX_PATH_PATTERNS = 50;
const MAX_PATTERN_LENGTH = 200;
const MAX_SEGMENTS = 20;

/**
 * Regular expressions that PostgreSQL reads as JavaScript does: what they find, and what takes its place. Case does not matter, and a route
 * behind `#` is a path, too.
 */
export const pathSteps = {
  indexFiles: ['/(?:(?:index|default)\\.(?:html?|php|aspx?|jsp)/*)+(?=#|$)', '/'],
  trailingSlash: ['(?<=[^/#])/+(?=#|$)', ''],
  ids: ['(?<=/)(?:[0-9]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{12,})(?=[/#]|$)', ':id'],
} as const satisfies Partial<Record<keyof PathRules, readonly [string, string]>>;

/** In this order. */
export const pathStepNames = ['indexFiles', 'trailingSlash', 'ids'] as const;

/** The route behind the `#` of an address. */
export const HASH_ROUTE = '#!?(/[^?#]*)';

const stepPatterns = Object.fromEntries(pathStepNames.map((name) => [name, new RegExp(pathSteps[name][0], 'gi')]));
const hashRoute = new RegExp(HASH_ROUTE);

export interface PathReader {
  /** @param address the whole one, where it is known */
  read(path: string, address?: string): string;
  /** The patterns as paths are compared with them: as regular expressions, in order. */
  patterns: readonly { name: string; source: string }[];
}

export function createPathReader(rules: PathRules): PathReader {
  const patterns = rules.patterns.map((text) => {
    const name = withoutPatterns(rules, text);
    return { name, source: sourceOf(name) };
  });
  const names = new Set(patterns.map(({ name }) => name));
  const compiled = patterns.map(({ name, source }) => ({ name, test: new RegExp(source, 'u') }));
  return {
    patterns,
    read(path, address) {
      const route = rules.hashRoutes && address !== undefined ? hashRoute.exec(address)?.[1] : undefined;
      const read = withoutPatterns(rules, route === undefined ? path : `${path}#${route}`);
      if (names.has(read)) return read;
      return compiled.find(({ test }) => test.test(read))?.name ?? read;
    },
  };
}

function withoutPatterns(rules: PathRules, path: string): string {
  let read = pageSpelling(path);
  if (rules.letterCase) read = read.toLowerCase();
  for (const name of pathStepNames) {
    if (rules[name]) read = read.replace(stepPatterns[name] as RegExp, pathSteps[name][1]);
  }
  return read;
}

/** `:name` stands for one part between slashes, `*` for what is left of one, and as the last part for all that follows. */
function sourceOf(pattern: string): string {
  const segments = pattern.split('/');
  const sources = segments.map((segment, at) => {
    if (segment === '*' && at === segments.length - 1) return '.+';
    if (segment.startsWith(':')) return '[^/]+';
    return segment
      .split('*')
      .map(escaped)
      .join(segment === '*' ? '[^/]+' : '[^/]*');
  });
  return `^${sources.join('/')}$`;
}

/** The stored form of a pattern; null when invalid: it must start with `/` and have at least one literal segment. */
export function pathPatternEntry(typed: string): string | null {
  const text = pageSpelling(typed.trim());
  const segments = text.split('/').slice(1);
  if (!text.startsWith('/') || text.length > MAX_PATTERN_LENGTH || segments.length > MAX_SEGMENTS) return null;
  if (/[\s?\p{Cc}]/u.test(text) || segments.some((segment) => segment.split('*').length > 2)) return null;
  return segments.some((segment) => /[^*]/.test(segment) && !segment.startsWith(':')) ? text : null;
}
