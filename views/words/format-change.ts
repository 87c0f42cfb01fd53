/** How a value compares with an earlier one, in words: "+19.5%", "+2.6 pp", "new", "no change". Pure. */
import type { Words } from './en.ts';
import type { NumberFormat } from './format-number.ts';
import { MINUS, NBSP } from './signs.ts';

/** A change between two values, in words: see `change`. */
export interface Change {
  text: string;
  /** Direction of the change; null without one, or if it cannot be calculated. */
  direction: 'up' | 'down' | null;
}

export type ChangeKind = 'count' | 'share' | 'mean' | 'decimal' | 'seconds' | `money ${string}`;

/** The formatter of changes in the language of `words`. */
export function createChangeFormat(words: Words, { number, oneDecimal, decimal, money }: NumberFormat) {
  /** A difference of two shares: 0.026 → "+2.6 pp". */
  function points(difference: number): string {
    return `${plus(oneDecimal(difference * 100))}${NBSP}${words.writing.points}`;
  }

  /** A relative change: 0.195 → "+19.5%", from ten times on without a decimal. */
  function relative(ratio: number): string {
    return `${plus(Math.abs(ratio) >= 10 ? number(ratio * 100) : oneDecimal(ratio * 100))}%`;
  }

  /**
   * How `value` compares with `before`. Shares move in points, everything else in percent. From nothing: "new". Below
   * 0.05% (or points): "no change". Of fewer than 20 events on both sides: how much more or less.
   *
   * @param events on the side that has more of them; not said: counts are of so many as they say, other kinds of enough
   */
  function change(value: number | null, before: number | null, kind: ChangeKind, events?: number): Change | null {
    if (value === null || before === null) return null;
    const difference = value - before;
    const direction = difference > 0 ? 'up' : 'down';
    if (kind === 'share') {
      return Math.abs(difference) < 0.0005
        ? { text: words.change.none, direction: null }
        : { text: points(difference), direction };
    }
    if (difference === 0) return { text: words.change.none, direction: null };
    if (before === 0) return { text: words.change.new, direction };
    const most = events ?? (kind === 'count' ? Math.max(value, before) : 20);
    if (most < 20) return { text: plus(differenceText(difference, kind)), direction };
    const ratio = difference / before;
    if (Math.abs(ratio) < 0.0005) return { text: words.change.none, direction: null };
    return { text: relative(ratio), direction };
  }

  function differenceText(difference: number, kind: ChangeKind): string {
    if (kind === 'decimal') return decimal(difference);
    if (!kind.startsWith('money')) return number(difference);
    return money(difference, kind.slice(6), Math.abs(difference) >= 1000);
  }

  return { change, relative };
}

function plus(text: string): string {
  return text.startsWith(MINUS) || text === '0' ? text : `+${text}`;
}
