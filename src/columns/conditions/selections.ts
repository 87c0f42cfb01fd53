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
  const selected: Selected = { names: [], where: { any: [] }, isImmutable: true };
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
    }
    any.push({ all });
  }
  return { ...selected, names: [...new Set(selected.names)], where: { any } };
}

/** 1 for each of the numbers, in memory that all threads see. */
function maskOf(numbers: readonly number[]): Uint8Array {
  const mask = new Uint8Array(new SharedArrayBuffer(Math.max(...numbers) + 1));
  for (const number of numbers) mask[number] = 1;
  return mask;
}
