/** A time with milliseconds, the same in all languages. */
import { offsetMinutes, offsetName } from './zone.ts';

/** "2026-11-20 14:32:07.412 UTC−3", for the details of one event. */
export function exactTime(ms: number, timeZone: string): string {
  const wall = new Date(ms + offsetMinutes(ms, timeZone) * 60_000).toISOString().replace('T', ' ').replace('Z', '');
  return `${wall} ${offsetName(ms, timeZone)}`;
}
