import { offsetMinutes } from '#views/words/zone.ts';

/** The end of a date in a zone, ms. Pure. */
export function endOfDay(date: string, timeZone: string): number {
  const next = Date.parse(`${date}T00:00:00Z`) + 86_400_000;
  const guess = next - offsetMinutes(next, timeZone) * 60_000;
  // The offset may change between the two.
  return next - offsetMinutes(guess, timeZone) * 60_000;
}
