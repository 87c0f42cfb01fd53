/** Filters in words: names that most projects share have one, everything else is shown as it was sent. Pure. */
import type { FilterCondition, FilterSubject, FilterValue, SessionField } from '#src/columns/contract.ts';
import type { FilterOperator } from '#src/columns/filters/operators.ts';
import { operatorsTaking, takesOf } from '#src/columns/filters/operators.ts';
import { COHORT, GROUP_KEY, isGroupSubject } from '#src/columns/values.ts';
import { asSent } from '#src/events/values.ts';
import type { BreakdownDimension } from '#src/insights/contract.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';
import { groupTypeName } from '#views/frame/group-names.ts';
import type { FilterWords } from '#views/words/filters.ts';
import { type Reading, valueText } from '#views/words/value-text.ts';

export interface PropertyRef {
  about: FilterSubject;
  name: string;
}

/** The property's word; null for names that are data. @param groups what the project calls its groups */
export function wordOf(
  { about, name }: PropertyRef,
  text: FilterWords,
  groups: readonly GroupTypeName[] = [],
): string | null {
  if (isGroupSubject(about)) {
    const { singular } = groupTypeName(groups, about);
    return name === GROUP_KEY ? singular : `${singular}: ${name}`;
  }
  if (about === 'session') return text.fields[name as SessionField] ?? null;
  if (about === 'person') return name === COHORT ? text.cohort : null;
  return Object.hasOwn(text.names, name) ? (text.names[name] as string) : null;
}

/** A value as the tables write it; a date as people do. */
export function shownValue({ about, name }: PropertyRef, value: string, text: FilterWords, reading: Reading): string {
  if (value === '') return text.nothing;
  const dimension = dimensionOf({ about, name });
  return dimension === null ? value : valueText(dimension, value, reading);
}

function shownOf(condition: FilterCondition, value: FilterValue, text: FilterWords, reading: Reading): string {
  const takes = takesOf(condition.operator);
  if (takes === 'pattern') return String(value);
  if (takes !== 'date') return shownValue(condition, String(value), text, reading);
  const said = String(value);
  const day = reading.format.day(said.slice(0, 10), 0);
  return said.length > 10 ? `${day} ${said.slice(11)}` : day;
}

/** "BR, PT +2". */
export function shownValues(condition: FilterCondition, text: FilterWords, reading: Reading): string {
  const [one, two, ...others] = condition.values.map((value) => shownOf(condition, value, text, reading));
  if (one === undefined) return '';
  return `${two === undefined ? one : `${one}, ${two}`}${others.length === 0 ? '' : ` +${others.length}`}`;
}

/** The whole condition, for a name. */
export function sentenceOf(condition: FilterCondition, text: FilterWords, reading: Reading): string {
  const values = condition.values.map((value) => shownOf(condition, value, text, reading)).join(', ');
  return [wordOf(condition, text, reading.groups) ?? condition.name, text.operators[condition.operator], values]
    .filter((part) => part !== '')
    .join(' ');
}

/** A value as clients send it, of what was typed as one reads it. */
export function sentValue(named: PropertyRef, typed: string): string {
  return ['page', 'entryPage', 'exitPage'].includes(dimensionOf(named) ?? '') ? asSent(typed) : typed;
}

/** True for properties whose values have labels, which can also be searched. */
export function hasWords(named: PropertyRef): boolean {
  return ['country', 'language', 'channel', 'deviceType', 'viewportWidth'].includes(dimensionOf(named) ?? '');
}

/** The operators that fit a property, the likeliest first. @param type of its values; null: not known */
export function operatorsFor(named: PropertyRef, type: string | null): FilterOperator[] {
  if (named.about === 'session' && (named.name === 'seconds' || named.name === 'views')) {
    return operatorsTaking('number', 'value');
  }
  if (named.about === 'person' && named.name === COHORT) return operatorsTaking('value');
  if (type === 'boolean') return operatorsTaking('value', 'nothing');
  if (type === 'number') return operatorsTaking('value', 'number', 'nothing');
  if (type === 'datetime') return operatorsTaking('date', 'value', 'text', 'pattern', 'nothing');
  // Complete lists are never typed.
  if (type === 'list' || type === 'object') return operatorsTaking('text', 'pattern', 'nothing');
  const ofTexts = operatorsTaking('value', 'text', 'pattern', 'nothing');
  // One value that is no date makes a property of dates one of texts.
  return type === 'string' && dimensionOf(named) === null ? [...ofTexts, ...operatorsTaking('date')] : ofTexts;
}

function dimensionOf({ about, name }: PropertyRef): BreakdownDimension | null {
  if (about === 'event' && name === '$pathname') return 'page';
  if (about !== 'session' || name === 'seconds' || name === 'views') return null;
  if (name === 'entryHost' || name === 'exitHost') return null;
  return name === 'entryPath' ? 'entryPage' : name === 'exitPath' ? 'exitPage' : (name as BreakdownDimension);
}
