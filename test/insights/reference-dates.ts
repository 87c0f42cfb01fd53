/** Dates and months as texts, for the plain reference implementation. */

const dayMs = 86_400_000;

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs;
}

export function addMonths(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** The same day of an earlier month, or the first of the month after it. */
export function monthsBefore(date: string, months: number): string {
  const month = addMonths(date.slice(0, 7), -months);
  const moved = `${month}-${date.slice(8)}`;
  return Number.isNaN(Date.parse(`${moved}T00:00:00Z`)) || addDays(moved, 0) !== moved
    ? `${addMonths(month, 1)}-01`
    : moved;
}
