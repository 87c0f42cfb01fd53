/** A month (UTC) that an operator names. Pure. */
import { invalid } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';

export interface Month {
  /** YYYY-MM */
  name: string;
  /** ms, included. */
  from: number;
  /** ms, excluded. */
  until: number;
}

/** @throws AppError `invalid` */
export function monthNamed(text: string | undefined): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text ?? '') ?? [];
  if (text === undefined || year === undefined) throw invalid('month', 'Name a month, such as 2026-03.');
  const [from, until] = [0, 1].map((more) => Date.UTC(Number(year), Number(month) - 1 + more, 1)) as [number, number];
  return { name: text, from, until };
}

/** Visits that begin in the month may go on for so long, and the window must not begin before they end. */
const MARGIN_MS = dayMs;

/** The single events of the month are read in ClickHouse, as are those of visits that reach over its end. */
export function isBeforeWindow({ until }: Month, hotDays: number, now: number): boolean {
  return until + MARGIN_MS <= (Math.floor(now / dayMs) - hotDays) * dayMs;
}
