/** Values of a chart as text. Pure. */
import { type Format, missing } from '#views/words/format.ts';
import type { Money, ValueKind } from './scale.ts';

/** A value in full; an en dash when there is none. */
export function valueText(value: number | null, kind: ValueKind, format: Format): string {
  if (value === null) return missing;
  if (kind === 'count') return format.number(value);
  if (kind === 'mean') return format.oneDecimal(value);
  if (kind === 'decimal') return Math.abs(value) < 100 ? format.decimal(value) : format.oneDecimal(value);
  if (isMoney(kind)) return format.money(value, kind.slice(6));
  return kind === 'share' ? format.percent(value) : format.duration(value);
}

/** A value beside a line of the axis, short; `top` is the axis's largest. */
export function axisText(value: number, kind: ValueKind, top: number, format: Format): string {
  if (kind === 'count' || isMoney(kind)) return format.short(value, top);
  if (kind === 'mean' || kind === 'decimal') return format.decimal(value);
  return kind === 'share' ? `${format.decimal(value * 100)}%` : format.shortDuration(value);
}

function isMoney(kind: ValueKind): kind is Money {
  return kind.startsWith('money');
}
