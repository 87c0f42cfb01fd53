/** The values of a condition as its operator takes them. Pure. */
import { invalid } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { numberOf } from '#src/kit/numbers/values.ts';
import { isRead, type Reader } from '#src/kit/reading/reader.ts';
import type { FilterCondition, FilterValue } from '../contract.ts';
import { takesOf } from './operators.ts';
import type { PageCondition } from './rules.ts';
import { sourceName } from './source-names.ts';
import type { GroupProperty } from './visit-fields.ts';

type Valued = Pick<FilterCondition, 'name' | 'values'>;

/** A value as the text that it is compared by. */
export function textOf(value: JsonValue | FilterValue): string {
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The condition with its values as the project reads those that they are compared with. @param property what is read; absent: its own */
export function readCondition<Condition extends PageCondition>(
  reader: Reader,
  condition: Condition,
  property: string = condition.name,
): Condition {
  if (!isRead(reader, property)) return condition;
  const takes = takesOf(condition.operator);
  const read = (text: string) => {
    if (takes === 'pattern') return reader.pattern(property, text, condition.page);
    return takes === 'text' ? reader.piece(property, text) : reader.value(property, text);
  };
  return { ...condition, values: condition.values.map((value) => (typeof value === 'string' ? read(value) : value)) };
}

/** @throws AppError `invalid` unless there is exactly one */
export function singleOf({ name, values }: Valued): FilterValue {
  const [value] = values;
  if (value === undefined || values.length !== 1) {
    throw invalid('filters', `The filter on "${name}" needs exactly one value.`);
  }
  return value;
}

/**
 * Clients write numbers with a point; other unambiguous formats are accepted.
 * @throws AppError `invalid` unless the only value is a number, or a text with one
 */
export function numberIn(condition: Valued): number {
  const number = numberOf(singleOf(condition));
  if (!Number.isFinite(number)) throw invalid('filters', `The filter on "${condition.name}" needs a number.`);
  return number;
}

/** The regular expression, if it can be sent: PostgreSQL validates it. @throws AppError `invalid` */
export function patternIn(condition: Valued): string {
  const pattern = textOf(singleOf(condition));
  if (!isStorable(pattern)) throw invalid('filters', 'Invalid regular expression.');
  return pattern;
}

/** No stored text can be equal to others. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The condition with its values as the property's are read: pages in their one spelling, in small letters, or sources by name. */
export function asRead<Condition extends PageCondition>(
  reader: Reader,
  condition: Condition,
  { as, names }: GroupProperty,
): Condition {
  const read = (change: (text: string) => string): Condition => ({
    ...condition,
    values: condition.values.map((value) => (typeof value === 'string' ? change(value) : value)),
  });
  if (as === 'folded') return read((text) => text.toLowerCase());
  if (as === 'source') return takesOf(condition.operator) === 'value' ? read(sourceName) : condition;
  return readCondition(reader, condition, names[0]);
}

/** NUL, and halves of pairs of surrogates, as JSON writes them: after no backslash, or pairs of them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Everything, as JSON, that is written like one of the wanted texts. */
export function candidates(condition: FilterCondition): string[] {
  return texts(condition).flatMap((text) => {
    const found = [JSON.stringify(text)];
    const other = parsed(text);
    if (other !== undefined && typeof other !== 'string' && other !== null && textOf(other) === text) {
      found.push(JSON.stringify(other));
    }
    return found.filter((json) => !UNSTORABLE.test(json));
  });
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values as texts, without those that no stored text can equal. */
export function texts({ values }: FilterCondition): string[] {
  return values.map(String).filter(isStorable);
}
