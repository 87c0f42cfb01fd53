/**
 * Normalizes property values by a project's rules, for tables, filters, goals, funnels and paths. Pages have
 * a normal form; the project's rules group paths, hosts and channels. Pure.
 */
import type { JsonValue } from '../json.ts';
import { namesPage, pageSpelling, pageSpellingOfPattern } from '../pages/values.ts';
import { wholePattern } from '../patterns/values.ts';
import { type ChannelRule, channelBy, channelProperties } from './channels/values.ts';
import { type HostRules, readHost } from './hosts.ts';
import { createPathReader, noPathRules, type PathReader, type PathRules } from './paths/values.ts';

/** A project's own rules, as its settings hold them. */
export interface ReadingRules extends HostRules {
  pathRules: PathRules;
  channelRules: readonly ChannelRule[];
}

export const noReadingRules: ReadingRules = {
  pathRules: noPathRules,
  primaryHost: '',
  otherHosts: [],
  channelRules: [],
};

/** The rules in a project's settings. */
export function rulesIn(settings: Partial<ReadingRules>): ReadingRules {
  const { pathRules, primaryHost, otherHosts, channelRules } = { ...noReadingRules, ...settings };
  return { pathRules, primaryHost, otherHosts, channelRules };
}

const HOST = '$host';
const CHANNEL = '$channel_type';

/** Properties that hold a path alone, which rules for paths are for, and those that hold the whole address of the same page. */
const ruledPaths: ReadonlyMap<string, string | null> = new Map([
  ['$pathname', '$current_url'],
  ['$initial_pathname', '$initial_current_url'],
  ['$prev_pageview_pathname', null],
  ['$session_entry_pathname', null],
]);

export interface Reader {
  rules: ReadingRules;
  paths: PathReader;
  /** Differs when values are read otherwise; '' without rules. */
  key: string;
  /** True when the project's path rules apply to the property. */
  isRuledPath(property: string): boolean;
  /** Properties of the same group that say more about one. */
  besides(property: string): readonly string[];
  /** The normalized value. @param besides values of the properties in `besides` */
  value<Value extends JsonValue | undefined>(
    property: string,
    sent: Value,
    besides?: readonly (JsonValue | undefined)[],
  ): Value | string;
  /** A piece of a value, which values hold. */
  piece(property: string, text: string): string;
  /** A regular expression for values. @param whole the pattern with stars that it was made of */
  pattern(property: string, source: string, whole?: string): string;
}

const MAX_KEPT = 200;
const kept = new Map<string, Reader>();

/** The reader of a project: the same while its rules are. */
export function readerOf(rules: ReadingRules): Reader {
  const whole = rulesIn(rules);
  const key = JSON.stringify(whole);
  const found = kept.get(key) ?? createReader(whole, key === PLAIN ? '' : key);
  kept.delete(key);
  kept.set(key, found);
  for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
  return found;
}

const PLAIN = JSON.stringify(noReadingRules);

function createReader(rules: ReadingRules, key: string): Reader {
  const paths = createPathReader(rules.pathRules);
  const read = (property: string, text: string, besides: readonly (JsonValue | undefined)[]): string => {
    if (ruledPaths.has(property)) return paths.read(text, textOf(besides[0]) || undefined);
    if (namesPage(property)) return pageSpelling(text);
    return property === HOST ? readHost(rules, text) : text;
  };
  return {
    rules,
    paths,
    key,
    isRuledPath: (property) => ruledPaths.has(property),
    besides(property) {
      const address = ruledPaths.get(property);
      if (address) return rules.pathRules.hashRoutes ? [address] : [];
      return property === CHANNEL && rules.channelRules.length > 0 ? channelProperties : [];
    },
    value(property, sent, besides = []) {
      if (property === CHANNEL && besides.length > 0) {
        return channelBy(rules.channelRules, besides.map(textOf)) ?? sent;
      }
      return typeof sent === 'string' ? read(property, sent, besides) : sent;
    },
    piece: (property, text) => (namesPage(property) ? pageSpelling(text) : text),
    pattern(property, source, whole) {
      if (whole !== undefined) return wholePattern(read(property, whole, []));
      return namesPage(property) ? pageSpellingOfPattern(source) : source;
    },
  };
}

/** Reader of a project without rules. */
export const plainReader = readerOf(noReadingRules);

/** True when values of the property are changed. */
export function isRead({ rules }: Reader, property: string): boolean {
  if (property === HOST) return rules.primaryHost !== '';
  return namesPage(property);
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}
