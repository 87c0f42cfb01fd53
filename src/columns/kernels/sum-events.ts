/**
 * Revenue of a chunk's events, by bucket and currency, without bots and internal traffic. Sums are decimal,
 * so they are exact and independent of order. Pure.
 */
import type { JsonValue } from '#src/kit/json.ts';
import { type Decimal, DecimalSum } from '#src/kit/numbers/decimals.ts';
import { currencyBeside, type DecimalSeparator, numberOf, readCurrency } from '#src/kit/numbers/values.ts';
import { type Column, entriesOf, openColumn } from '../storage/format.ts';
import { placesAt } from '../storage/quarters.ts';
import { type EventChunk, type EventPlan, kept, leftOut, rowsIn } from './count-events.ts';
import type { SessionSet } from './session-set.ts';

export interface SumPlan extends Pick<EventPlan, 'names' | 'where' | 'botMark' | 'internalMark' | 'include'> {
  /** The column of the amount. */
  amount: string;
  /** The column that names the currency; null: none does. */
  currency: string | null;
  /** The currency of events that name none; '': not known. */
  otherwise: string;
  /** How texts write numbers. */
  decimal: DecimalSeparator;
}

/** Amounts of a chunk. */
export interface SumPart {
  sums: StretchSum[];
  /** Events without an amount that can be read. */
  unreadable: number;
  /** Texts of events without a readable amount. */
  texts: UnreadableText[];
}

export interface StretchSum {
  stretch: number;
  /** '' when none is named, or `UNKNOWN_CURRENCY`. */
  currency: string;
  /** Events with an amount. */
  count: number;
  sum: Decimal;
}

export interface UnreadableText {
  /** Prefix of the text; null: missing. */
  text: string | null;
  count: number;
}

/** Different texts that are noted of a chunk. */
const MAX_TEXTS = 100;
/** Characters of them. */
const MAX_TEXT = 60;

export function sumEvents(plan: SumPlan, { columns, edges }: EventChunk, sets: readonly SessionSet[]): SumPart {
  const all = rowsIn(columns);
  const isKept = kept(plan, columns, all, sets);
  const left = leftOut(columns, plan);
  const amounts = columns[plan.amount];
  const amount = amounts === undefined ? null : readAmounts(openColumn(amounts), plan);
  const named = plan.currency === null ? undefined : columns[plan.currency];
  const currency = named === undefined ? null : readCurrencies(openColumn(named), plan.otherwise);
  const rows = placesAt(columns, all, edges);
  const sums: StretchSum[] = [];
  const texts = new Map<string | null, number>();
  let unreadable = 0;
  for (let stretch = 0; stretch < rows.length - 1; stretch++) {
    const found = new Map<string, { count: number; sum: DecimalSum }>();
    for (let row = rows[stretch] as number; row < (rows[stretch + 1] as number); row++) {
      if (isKept[row] === 0 || (left !== null && left.mask[left.codes[row] as number] !== 0)) continue;
      const entry = amount === null ? 0 : (amount.codes[row] as number);
      const worth = amount === null ? Number.NaN : (amount.numbers[entry] as number);
      if (Number.isNaN(worth)) {
        const text = amount?.texts[entry] ?? null;
        unreadable++;
        if (texts.size < MAX_TEXTS || texts.has(text)) texts.set(text, (texts.get(text) ?? 0) + 1);
        continue;
      }
      const said = currency === null ? null : (currency.named[currency.codes[row] as number] as string | null);
      const own = said ?? amount?.beside[entry] ?? plan.otherwise;
      let sum = found.get(own);
      if (sum === undefined) {
        sum = { count: 0, sum: new DecimalSum() };
        found.set(own, sum);
      }
      sum.count++;
      sum.sum.add(worth);
    }
    for (const [own, { count, sum }] of found) sums.push({ stretch, currency: own, count, sum: sum.decimal });
  }
  return { sums, unreadable, texts: [...texts].map(([text, count]) => ({ text, count })) };
}

interface Amounts {
  codes: Column['codes'];
  /** Amount by entry; NaN: not readable. */
  numbers: Float64Array;
  /** Text of unreadable entries; null: missing. */
  texts: (string | null)[];
  /** The currency that stands beside it. */
  beside: (string | null)[];
}

export function readAmounts(column: Column, { decimal, otherwise }: Pick<SumPlan, 'decimal' | 'otherwise'>): Amounts {
  const entries = entriesOf(column);
  const numbers = Float64Array.from(entries, (value) => numberOf(value, decimal));
  return {
    codes: column.codes,
    numbers,
    texts: entries.map((value, at) => (Number.isNaN(numbers[at]) ? shownText(value) : null)),
    beside: entries.map((value, at) => (Number.isNaN(numbers[at]) ? null : currencyBeside(value, otherwise))),
  };
}

function shownText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_TEXT);
}

export function readCurrencies(column: Column, otherwise: string) {
  return { codes: column.codes, named: entriesOf(column).map((value) => readCurrency(value, otherwise)) };
}
