/** Events by name and filters, as goals mean them: rules joined by OR, to one condition that chunks can be held against. */
import type { EventRule } from '../filters/rules.ts';
import type { Condition } from '../kernels/select.ts';
import type { EventNames } from '../snapshot/names.ts';
import { type ConditionParts, type Conditions, conditionsOf, type Needs, needsOf } from './conditions.ts';

/** Revenue of an event: the properties with amount and currency. */
export interface Amount {
  property: string;
  /** Property of the currency; null: none. */
  currencyProperty: string | null;
  /** The currency of events that name none, in three capitals; null: not known. */
  currency: string | null;
}

/** Events that fulfil at least one rule, each once. */
export interface Selection {
  rules: readonly EventRule[];
  /** Also all custom events: their names do not start with `$`. */
  ofOwnNames?: boolean;
  amount: Amount | null;
}

/** A selection, ready. */
export interface Selected {
  /** Numbers of the names. */
  names: number[];
  where: Condition;
  /** See `Conditions`. */
  isImmutable: boolean;
  persons: readonly Uint8Array[] | null;
}

/** Columns and properties that selections need. @throws AppError `invalid` for invalid filters */
export function needsOfSelections(selections: readonly Selection[]): Needs {
  const needs: Needs = { columns: [], properties: [], sessionColumns: [] };
  for (const { rules, amount } of selections) {
    for (const filters of rules.flatMap((rule) => rule.filters)) {
      const more = needsOf(filters);
      needs.columns.push(...more.columns);
      needs.properties.push(...more.properties);
      needs.sessionColumns.push(...more.sessionColumns);
    }
    if (amount !== null) needs.properties.push(amount.property);
    if (amount !== null && amount.currencyProperty !== null) needs.properties.push(amount.currencyProperty);
  }
  return needs;
}

/** @param finds visits that conditions name by number are added to it, and found before */
export async function selectionOf(
  parts: ConditionParts & { names: EventNames },
  { rules, ofOwnNames = false }: Selection,
  finds: Conditions['finds'],
): Promise<Selected> {
  const selected: Selected = { names: [], where: { any: [] }, isImmutable: true, persons: [] };
  const any: Condition[] = [];
  const own = ofOwnNames ? await parts.names.ownNumbers(parts) : [];
  if (own.length > 0) {
    selected.names.push(...own);
    any.push({ column: 'event', mask: maskOf(own) });
  }
  for (const rule of rules) {
    const names = await parts.names.numbers(parts, rule.names);
    if (names.length === 0) continue; // nothing of this name has happened
    selected.names.push(...names);
    const all: Condition[] = [{ column: 'event', mask: maskOf(names) }];
    for (const filters of rule.filters) {
      const conditions = await conditionsOf(parts, filters, finds);
      all.push(conditions.where);
      selected.isImmutable &&= conditions.isImmutable;
      selected.persons = personsOfAll([selected, conditions]);
    }
    any.push({ all });
  }
  return { ...selected, names: [...new Set(selected.names)], where: { any } };
}

/** Persons that conditions name together, in this order; null: there is more that makes the difference. */
export function personsOfAll(
  all: readonly (Pick<Conditions, 'isImmutable' | 'persons'> | null)[],
): readonly Uint8Array[] | null {
  const persons: Uint8Array[] = [];
  for (const each of all) {
    if (each === null || each.isImmutable) continue;
    if (!each.persons) return null;
    persons.push(...each.persons);
  }
  return persons;
}

/** 1 for each of the numbers, in memory that all threads see. */
function maskOf(numbers: readonly number[]): Uint8Array {
  const mask = new Uint8Array(new SharedArrayBuffer(Math.max(...numbers) + 1));
  for (const number of numbers) mask[number] = 1;
  return mask;
}
