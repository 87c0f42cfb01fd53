/**
 * Wall-clock time in a time zone, the same on server and browser. Offsets come from Intl once per quarter hour and zone
 * and are kept: a zone changes its offset only at such moments, and a screen asks for the same ones again and again.
 * Pure.
 */

/** Local time. `weekday` 0 is Sunday, `month` 1 is January. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
  second: number;
}

const QUARTER_MS = 900_000;
const KEPT_OFFSETS = 4_096;

interface Zone {
  parts: Intl.DateTimeFormat;
  offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/** Minutes that `timeZone` is ahead of UTC at `ms`. An unknown zone counts as UTC. */
export function offsetMinutes(ms: number, timeZone: string): number {
  const zone = zoneOf(timeZone);
  const quarter = Math.floor(ms / QUARTER_MS);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) return known;
  if (zone.offsets.size >= KEPT_OFFSETS) zone.offsets.clear();
  const offset = measuredOffset(quarter * QUARTER_MS, zone.parts);
  zone.offsets.set(quarter, offset);
  return offset;
}

/** Local time at `ms` in `timeZone`. */
export function wallTime(ms: number, timeZone: string): WallTime {
  return wallOf(new Date(ms + offsetMinutes(ms, timeZone) * 60_000));
}

function wallOf(wall: Date): WallTime {
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    weekday: wall.getUTCDay(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  };
}

/** "UTC−3", "UTC+5:30", "UTC" with a true minus. */
export function offsetName(ms: number, timeZone: string): string {
  const offset = offsetMinutes(ms, timeZone);
  if (offset === 0) return 'UTC';
  const minutes = Math.abs(offset) % 60;
  const hours = Math.floor(Math.abs(offset) / 60);
  return `UTC${offset < 0 ? '\u2212' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

/** A calendar date `YYYY-MM-DD` as a wall time at midnight, without any zone. */
export function wallDate(date: string): WallTime {
  return wallOf(new Date(`${date}T00:00:00Z`));
}

/** The date `days` after `date` (both `YYYY-MM-DD`). */
export function addDays(date: string, days: number): string {
  return isoDate(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000);
}

/** How many days `to` comes after `from`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** The calendar date at `ms` in `timeZone`, `YYYY-MM-DD`. */
export function dateIn(ms: number, timeZone: string): string {
  return isoDate(ms + offsetMinutes(ms, timeZone) * 60_000);
}

function isoDate(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10);
}

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  const zone: Zone = { parts: partsFormat(timeZone), offsets: new Map() };
  zones.set(timeZone, zone);
  return zone;
}

function partsFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const;
  const clock = { minute: 'numeric', second: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, ...clock, timeZone });
  } catch (error) {
    // A zone that the browser's tables lack (they may be older than the server's) still shows a time.
    if (error instanceof RangeError) return new Intl.DateTimeFormat('en-US', { ...options, ...clock, timeZone: 'UTC' });
    throw error;
  }
}

function measuredOffset(ms: number, parts: Intl.DateTimeFormat): number {
  const read: Record<string, number> = {};
  for (const part of parts.formatToParts(ms)) read[part.type] = Number(part.value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = read;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - ms) / 60_000);
}
