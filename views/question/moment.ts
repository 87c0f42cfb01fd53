/** A moment as forms have it: a date, and perhaps a time, both of the project’s zone. Pure. */
import type { AnnotationInput } from '#src/insights/annotations/contract.ts';
import { offsetMinutes, wallTime } from '#views/words/zone.ts';

const MINUTE_MS = 60_000;

/** "14:05", as the clock on the wall shows it. */
export function timeOf(ms: number, timeZone: string): string {
  const { hour, minute } = wallTime(ms, timeZone);
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** The moment at which the wall shows this; one that the clocks leave out becomes the hour after it, of one that comes twice it is the first. */
export function momentOf(day: string, time: string, timeZone: string): number {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const [before, after] = [-1, 1].map((side) => offsetMinutes(wall + side * 1_440 * MINUTE_MS, timeZone));
  const moments = [before ?? 0, after ?? 0].map((offset) => wall - offset * MINUTE_MS);
  const shown = moments.filter((ms) => ms + offsetMinutes(ms, timeZone) * MINUTE_MS === wall);
  return shown.length > 0 ? Math.min(...shown) : (moments[0] as number);
}

/** @param time '' for the whole date */
export function whenOf(day: string, time: string, timeZone: string): AnnotationInput['when'] {
  return time === '' ? { day } : { at: momentOf(day, time, timeZone) };
}
