/** Dates of conditions: a time, or so long ago (`-7d`, `3h`, `2w`, `1m`, `1y`). Pure. */

const RELATIVE = /^-?([0-9]+)([hdwmy])$/;
const MAX_RELATIVE = 10_000;

/** Parses a condition's date, absolute or relative to `now`, ms; null when invalid. */
export function dateBound(text: string): ((now: number) => number) | null {
  const [, digits, unit] = RELATIVE.exec(text) ?? [];
  const count = Number.parseInt(digits ?? '', 10);
  if (unit !== undefined && count < MAX_RELATIVE) return (now) => earlier(now, count, unit);
  const at = timeOf(text);
  return at === null ? null : () => at;
}

/** Parses a property's value as a time, ms; null when it is none. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const at = new Date(value).valueOf();
  return Number.isNaN(at) ? null : at;
}

function earlier(now: number, count: number, unit: string): number {
  const date = new Date(now);
  if (unit === 'h') date.setUTCHours(date.getUTCHours() - count);
  else if (unit === 'd') date.setUTCDate(date.getUTCDate() - count);
  else if (unit === 'w') date.setUTCDate(date.getUTCDate() - 7 * count);
  else if (unit === 'm') subtractMonths(date, count);
  else subtractYears(date, count);
  return date.valueOf();
}

/** Month by month, each ending no later than it does: 31 March less two months is 28 January. */
function subtractMonths(date: Date, months: number): void {
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  let day = date.getUTCDate();
  for (let step = 1; step <= months && day > 28; step++) {
    day = Math.min(day, new Date(Date.UTC(year, month - step + 1, 0)).getUTCDate());
  }
  date.setUTCFullYear(year, month - months, day);
}

function subtractYears(date: Date, years: number): void {
  const month = date.getUTCMonth();
  const isLeapDay = years > 0 && month === 1 && date.getUTCDate() === 29;
  date.setUTCFullYear(date.getUTCFullYear() - years, month, isLeapDay ? 28 : date.getUTCDate());
}
