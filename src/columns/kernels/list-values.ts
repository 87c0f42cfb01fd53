/** Events of a chunk with what each is worth: an amount, or 1. Persons are as in the rows, before merges. Pure, except for reused memory. */
import { openColumn } from '../storage/format.ts';
import { firstAt } from '../storage/quarters.ts';
import { columnOf, type EventChunk } from './count-events.ts';
import { type RowPlan, rowsOfPeople } from './count-trend.ts';
import type { AmountPlan } from './person-figures.ts';
import type { SessionSet } from './session-set.ts';
import { floatsOf, intsOf } from './shared.ts';
import { readAmounts, readCurrencies } from './sum-events.ts';

export interface ValuesPlan {
  rows: RowPlan;
  /** Where events say how much; null: each is worth 1. */
  amount: Omit<AmountPlan, 'rows'> | null;
}

/** As columns of the same length. */
export interface ValuesPart {
  persons: Int32Array;
  /** ms */
  times: Float64Array;
  values: Float64Array;
  currencies: string[];
  /** Places in `currencies`; empty without amounts. */
  currencyOf: Int32Array;
}

export function listValues(
  { rows: plan, amount }: ValuesPlan,
  { columns, edges }: EventChunk,
  sets: readonly SessionSet[],
): ValuesPart {
  const ts = columnOf(columns, 'ts');
  const person = columnOf(columns, 'person');
  const rows = rowsOfPeople(plan, columns, sets, firstAt(ts, edges[0] as number), firstAt(ts, edges.at(-1) as number));
  const found = { persons: [] as number[], times: [] as number[], values: [] as number[], currencyOf: [] as number[] };
  const currencies: string[] = [];
  const worth = amount === null ? null : worthOf(columns, amount);
  if (amount !== null && worth === null) return partOf(found, currencies);
  for (const row of rows) {
    const who = person.numbers?.[person.codes[row] as number] ?? 0;
    const one = worth?.(row);
    if (who === 0 || one === null) continue;
    found.persons.push(who);
    found.times.push(ts.base + (ts.codes[row] as number));
    found.values.push(one?.value ?? 1);
    if (one === undefined) continue;
    const at = currencies.indexOf(one.currency);
    found.currencyOf.push(at < 0 ? currencies.push(one.currency) - 1 : at);
  }
  return partOf(found, currencies);
}

/** The amount of a row; null where none can be read. Null instead: the chunk has no amounts. */
function worthOf(
  columns: EventChunk['columns'],
  plan: Omit<AmountPlan, 'rows'>,
): ((row: number) => { value: number; currency: string } | null) | null {
  const bytes = columns[plan.amount];
  if (bytes === undefined) return null;
  const amounts = readAmounts(openColumn(bytes), plan);
  const named = plan.currency === null ? undefined : columns[plan.currency];
  const currency = named === undefined ? null : readCurrencies(openColumn(named), plan.otherwise);
  return (row) => {
    const entry = amounts.codes[row] as number;
    const value = amounts.numbers[entry] as number;
    if (Number.isNaN(value)) return null;
    const said = currency?.named[currency.codes[row] as number] ?? null;
    return { value, currency: said ?? amounts.beside[entry] ?? plan.otherwise };
  };
}

function partOf(
  found: Record<'persons' | 'times' | 'values' | 'currencyOf', number[]>,
  currencies: string[],
): ValuesPart {
  return {
    persons: intsOf(found.persons),
    times: floatsOf(found.times),
    values: floatsOf(found.values),
    currencies,
    currencyOf: intsOf(found.currencyOf),
  };
}

export function bytesOfValues({ persons, currencyOf }: ValuesPart): number {
  return persons.length * 20 + currencyOf.length * 4;
}
