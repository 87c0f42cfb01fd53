/** Numbers, percentages, amounts and axis labels in one language. Minus is U+2212. Pure. */
import { UNKNOWN_CURRENCY } from '#src/kit/numbers/values.ts';
import type { Words } from './en.ts';
import { MINUS, NBSP } from './signs.ts';

export type NumberFormat = ReturnType<typeof createNumberFormat>;

/** The number formatters of a language. */
export function createNumberFormat(writing: Words['writing']) {
  const { locale } = writing;
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const upTo3 = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });

  const signed = (text: string): string => text.replace('-', MINUS);
  const number = (value: number): string => signed(whole.format(value));
  /** 3.18 → "3.2". */
  const oneDecimal = (value: number): string => signed(tenths.format(value));

  /** At most three decimals, none that are zero. */
  function decimal(value: number): string {
    return signed(upTo3.format(value));
  }

  /** 0.386 → "38.6%". Never 100% for 99.96, nor 0% for a few in a million. */
  function percent(share: number): string {
    return `${percentNumber(share)}%`;
  }

  function percentNumber(share: number): string {
    if (share === 0 || share === 1) return number(share * 100);
    const tenth = Math.round(share * 1000);
    if (share > 0 && tenth === 0) return `<${oneDecimal(0.1)}`;
    if (share < 1 && tenth === 1000) return oneDecimal(99.9);
    return oneDecimal(tenth / 10);
  }

  /** Axis labels: "12k", "1.2M"; `largest` is the axis's largest label, so that one axis uses one unit. */
  function short(value: number, largest = value): string {
    const { thousand, million, billion } = writing.short;
    if (value === 0 || largest < 10_000) return number(value);
    const [divisor, unit] = largest >= 1e9 ? [1e9, billion] : largest >= 1e6 ? [1e6, million] : [1e3, thousand];
    return decimal(value / divisor) + unit.replace(' ', NBSP);
  }

  /** "R$ 1.234,50", or without decimals; a plain number for '' and `unknown`, currencies that are not known. */
  function money(value: number, currency: string, isShort = false): string {
    const isKnown = currency !== '' && currency !== UNKNOWN_CURRENCY;
    const digits = isShort ? 0 : isKnown ? undefined : 2;
    const style = isKnown ? { style: 'currency' as const, currency } : {};
    const fraction = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return signed(new Intl.NumberFormat(locale, { ...style, ...fraction }).format(value));
  }

  return { number, oneDecimal, decimal, percent, percentNumber, short, money };
}
