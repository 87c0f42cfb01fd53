/** A measurement of a vital in words. Pure. */
import type { VitalName } from '#src/insights/kinds/vitals/contract.ts';
import { type Format, missing } from '#views/words/format.ts';

/** "184 ms", "1.9 s"; of the layout shift a number without unit. */
export function vitalText(name: VitalName, value: number | null, format: Format): string {
  if (value === null) return missing;
  if (name === 'CLS') return format.decimal(value);
  return value < 999.5 ? `${format.number(value)}\u00a0ms` : `${format.oneDecimal(value / 1000)}\u00a0s`;
}
