/**
 * Filters as they stand in the address: one `filter` per condition, `property:operator:value|value`, and `match=any` for OR. Properties
 * of events go by their name, the common ones by a word; fields of visits by theirs; those of persons begin with `person.`. A list of
 * conditions within the list is `any(…;…)` or `all(…;…)`. What would be read otherwise has a backslash before it. Pure.
 */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { arityOf, operatorNamed, takesOf } from '#src/columns/filters/operators.ts';
import { DATE_TIME, isGroupSubject, MAX_CONDITIONS, MAX_VALUE_LENGTH, sessionFieldNamed } from '#src/columns/values.ts';
import { readNumber } from '#src/kit/numbers/values.ts';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';

/** Words for properties of events that most projects have. */
export const aliases: Readonly<Record<string, string>> = {
  page: '$pathname',
  host: '$host',
};

const PERSON = 'person.';
const EVENT = 'event.';
/** Properties of groups: `group_0.plan`. */
const GROUP = /^(group_[0-4])\.(.*)$/s;

/** Reads the filters of a query string; null without any. Invalid parts are skipped, so that old links still work. */
export function readFilters(search: URLSearchParams): Filters | null {
  const of = search.getAll('filter').map(readItem).filter(isThere).slice(0, MAX_CONDITIONS);
  return of.length === 0 ? null : { match: search.get('match') === 'any' ? 'any' : 'all', of };
}

/** Adds filters to a query string. */
export function writeFilters(search: URLSearchParams, filters: Filters | null): void {
  if (filters === null) return;
  for (const item of filters.of) search.append('filter', textOfItem(item));
  if (filters.match === 'any') search.set('match', 'any');
}

/** One condition as text. @param also signs that have a meaning where it stands */
export function conditionText({ about, name, operator, values }: FilterCondition, also = ''): string {
  const named = escaped(nameText({ about, name }), `:${also}`);
  const written = values.map((value) => escaped(String(value), `|${also}`)).join('|');
  return `${named}:${operator}${values.length === 0 ? '' : `:${written}`}`;
}

/** True for a value that is compared as a number. */
export function isNumber(text: string): boolean {
  return !Number.isNaN(readNumber(text));
}

const dateTime = new RegExp(DATE_TIME);

/** True for a date, or a time of one, as the server takes them: it is in the calendar, of the years 1000 to 9998. */
export function isDateTime(text: string): boolean {
  return dateTime.test(text) && text >= '1000' && text < '9999';
}

function textOfItem(item: Filters['of'][number]): string {
  return 'of' in item
    ? `${item.match}(${item.of.map((each) => conditionText(each, ';')).join(';')})`
    : conditionText(item);
}

function nameText({ about, name }: Pick<FilterCondition, 'about' | 'name'>): string {
  if (about === 'event') return eventText(name);
  if (about === 'session') return name;
  return about === 'person' ? PERSON + name : `${about}.${name}`;
}

/** The name, unless it would be read as something else. */
function eventText(name: string): string {
  const alias = Object.keys(aliases).find((each) => aliases[each] === name);
  if (alias !== undefined) return alias;
  const isTaken =
    Object.hasOwn(aliases, name) ||
    sessionFieldNamed(name) !== undefined ||
    name.startsWith(PERSON) ||
    GROUP.test(name) ||
    name.startsWith(EVENT);
  return isTaken || /^(any|all)\(/.test(name) ? EVENT + name : name;
}

function readItem(text: string): Filters['of'][number] | null {
  const list = /^(any|all)\((.*)\)$/s.exec(text);
  if (list === null) return readCondition(text);
  const of = divided(list[2] ?? '', ';')
    .map(readCondition)
    .filter(isThere)
    .slice(0, MAX_CONDITIONS);
  return of.length === 0 ? null : { match: list[1] as 'any' | 'all', of };
}

/** Null for what makes no sense. */
export function readCondition(text: string): FilterCondition | null {
  const [named = '', asked = '', ...rest] = divided(text, ':');
  const values = rest.length === 0 ? [] : divided(rest.join(':'), '|').map(plain);
  const operator = operatorNamed(asked);
  if (operator === null) return null;
  const condition = { ...readName(plain(named)), operator, values };
  return makesSense(condition) ? condition : null;
}

function readName(text: string): Pick<FilterCondition, 'about' | 'name'> {
  if (text.startsWith(PERSON)) return { about: 'person', name: text.slice(PERSON.length) };
  const [, subject, property] = GROUP.exec(text) ?? [];
  if (isGroupSubject(subject) && property !== undefined) return { about: subject, name: property };
  if (text.startsWith(EVENT)) return { about: 'event', name: text.slice(EVENT.length) };
  const field = sessionFieldNamed(text);
  if (field !== undefined) return { about: 'session', name: field };
  return { about: 'event', name: Object.hasOwn(aliases, text) ? (aliases[text] as string) : text };
}

function makesSense({ name, operator, values }: FilterCondition): boolean {
  const [min, max] = arityOf(operator);
  if (name === '' || name.length > MAX_STORED_NAME_LENGTH || values.length < min || values.length > max) return false;
  if ([name, ...values].some((text) => String(text).length > MAX_VALUE_LENGTH || String(text).includes('\0')))
    return false;
  const takes = takesOf(operator);
  if (takes === 'date') return isDateTime(String(values[0]));
  return takes !== 'number' || isNumber(String(values[0]));
}

/** The text with a backslash before each of these signs. */
export function escaped(text: string, signs: string): string {
  return [...text].map((sign) => (sign === '\\' || signs.includes(sign) ? `\\${sign}` : sign)).join('');
}

/** The inverse of `escaped`. */
export function plain(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

/** The pieces between the signs that have no backslash before them, as they are written. */
export function divided(text: string, sign: string): string[] {
  const pieces = [''];
  for (const [each] of text.matchAll(/\\?./gs)) {
    if (each === sign) pieces.push('');
    else pieces[pieces.length - 1] += each;
  }
  return pieces;
}

export function isThere<Item>(item: Item | null): item is Item {
  return item !== null;
}
