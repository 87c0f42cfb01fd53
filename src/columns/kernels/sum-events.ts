/**
 * Adds up what events of a chunk were worth, by stretches of time and currency; bots and the team's own are left out. Amounts become whole
 * numbers of ten-thousandths, so that sums are exact and the same in any order. Pure.
 */
import type { JsonValue } from '#src/kit/json.ts';
import { entriesOf, openColumn } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import { type EventChunk, type EventPlan, kept, leftOut, rowsIn } from './count-events.ts';
import type { SessionSet } from './session-set.ts';
import { TallyBuilder, type TallyBytes } from './tally.ts';

export interface SumPlan extends Pick<EventPlan, 'names' | 'where' | 'botMark' | 'internalMark' | 'include'> {
  /** The column of the amount. */
  amount: string;
  /** The column that names the currency; null: none does. */
  currency: string | null;
  /** The currency of events that name none; '': not known. */
  otherwise: string;
  /** All that are told apart, each once. */
  currencies: readonly string[];
}

/** An amount is counted in so many parts of its unit. */
export const AMOUNT_PARTS = 10_000;

/** Group: the stretch times the number of currencies, plus the number of the currency. Its sum is in ten-thousandths. */
export function sumEvents(plan: SumPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): TallyBytes {
  const builder = new TallyBuilder();
  const amounts = columns[plan.amount];
  if (amounts === undefined) return builder.finish();
  const all = rowsIn(columns);
  const isKept = kept(plan, columns, all, sets);
  const left = leftOut(columns, plan);
  const amount = openColumn(amounts);
  const parts = entriesOf(amount).map(amountParts);
  const named = plan.currency === null ? undefined : columns[plan.currency];
  const currency = named === undefined ? null : openColumn(named);
  const places = new Map(plan.currencies.map((name, place) => [name, place]));
  const otherwise = places.get(plan.otherwise) ?? 0;
  const placeOf = currency && entriesOf(currency).map((value) => places.get(currencyOf(value) ?? '') ?? otherwise);
  const rows = placesAt(columns, all, edges);
  for (let slot = 0; slot < rows.length - 1; slot++) {
    const counts = plan.currencies.map(() => 0);
    const sums = plan.currencies.map(() => 0);
    for (let row = rows[slot] as number; row < (rows[slot + 1] as number); row++) {
      if (isKept[row] === 0 || (left !== null && left.mask[left.codes[row] as number] !== 0)) continue;
      const worth = parts[amount.codes[row] as number] ?? null;
      if (worth === null) continue;
      const place = placeOf === null || currency === null ? otherwise : placeOf[currency.codes[row] as number];
      counts[place as number] = (counts[place as number] as number) + 1;
      sums[place as number] = (sums[place as number] as number) + worth;
    }
    plan.currencies.forEach((_, place) => {
      builder.end(slot * plan.currencies.length + place, counts[place] as number, 0, sums[place] as number);
    });
  }
  return builder.finish();
}

const DECIMAL = /^-?\d{1,15}(\.\d+)?$/;

/** Ten-thousandths, rounded; null for what says no amount: a number, or a text that says nothing but a number. */
export function amountParts(value: JsonValue | undefined): number | null {
  const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number') return null;
  const parts = Math.round(number * AMOUNT_PARTS);
  return Number.isSafeInteger(parts) ? parts : null;
}

/** A code of three letters in capitals; null for anything else. */
export function currencyOf(value: JsonValue | undefined): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}
