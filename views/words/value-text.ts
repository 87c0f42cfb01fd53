/** A value of a table in words: names of countries and languages, classes of widths, letters of paths, everything else as it was sent. Pure. */
import { readable } from '#src/events/values.ts';
import type { BreakdownDimension } from '#src/insights/contract.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';
import type { Format } from '#views/words/format.ts';
import type { TableWords } from '#views/words/tables.ts';

/** Language and words of the reader. */
export interface Reading {
  own: TableWords;
  format: Format;
  locale: string;
  /** What the project calls its groups; absent: nothing. */
  groups?: readonly GroupTypeName[];
}

/** The value in words: what is searched in, too. */
export function valueText(dimension: BreakdownDimension, value: string, { own, format, locale }: Reading): string {
  if (isNothing(dimension, value)) return own.tables[dimension].none;
  switch (dimension) {
    case 'country':
      return /^[A-Z]{2}$/.test(value) ? format.country(value) : value;
    case 'region':
    case 'city':
      return placeText(value);
    case 'language':
      return languageName(value, locale);
    case 'channel':
      return nameIn(own.channels, value);
    case 'deviceType':
      return nameIn(own.devices, value);
    case 'viewportWidth':
      return nameIn(own.widths, value);
    case 'outbound':
      return readable(value.replace(/^https?:\/\//, '').replace(/\/$/, ''));
    case 'page':
    case 'entryPage':
    case 'exitPage':
      return readable(value);
    default:
      return value;
  }
}

/** `Campinas, SP`: within Brazil by the state, elsewhere by the country. */
function placeText(value: string): string {
  return value.replace(/, BR-([A-Z]{2})$/, ', $1').replace(/, ([A-Z]{2})-[A-Z0-9]{1,3}$/, ', $1');
}

/** The value itself where it has no name: clients may send anything. */
function nameIn(names: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] as string) : value;
}

/** True for missing and unknown values. */
export function isNothing(dimension: BreakdownDimension, value: string): boolean {
  // Clients write `$direct` where there is no referrer.
  return value === '' || (value === '$direct' && (dimension === 'source' || dimension === 'referringDomain'));
}

const names = new Map<string, Intl.DisplayNames>();

/** Language name; the tag itself when unknown. */
function languageName(tag: string, locale: string): string {
  let known = names.get(locale);
  if (known === undefined) {
    known = new Intl.DisplayNames(locale, { type: 'language' });
    names.set(locale, known);
  }
  try {
    return known.of(tag) ?? tag;
  } catch {
    return tag; // what a client sent is not always a tag
  }
}
