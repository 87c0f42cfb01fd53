/** One row of the reliability table, and how its result is printed. */
import type { Postgres } from './postgres.ts';
import type { Scene, Verdict } from './scene.ts';

export interface Row {
  /** As in docs/reliability.md. */
  id: string;
  title: string;
  run(stage: Stage): Promise<Result>;
}

export interface Stage {
  /** A fresh database and folder. @param name of its own, when a row needs several */
  open(name?: string, options?: { isMigrated?: boolean; postgres?: Postgres }): Promise<Scene>;
  /** For a PostgreSQL of a row's own. */
  freePort(): Promise<number>;
  /** `full`: the durations of the table. `short`: a tenth of them, for every run of the tests. */
  pace: 'full' | 'short';
  root: string;
  scratch: string;
}

export interface Result {
  /** What was measured, in words and numbers. */
  figures: string[];
  checks: Check[];
}

export interface Check {
  /** What is asked, with its limit. */
  what: string;
  isMet: boolean;
  /** What was seen of it; '' where that is said by its being met. */
  seen: string;
}

export function check(what: string, isMet: boolean, seen: string | number = ''): Check {
  return { what, isMet, seen: String(seen) };
}

/** ms as people read them. */
export function time(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(0)} ms`;
}

/** The two that hold in every row. */
export function nothingLost({ lost, twice }: Verdict): Check[] {
  return [check('lost 0', lost === 0, lost), check('twice 0', twice === 0, twice)];
}

export function countsOf({ sent, acked, stored, lost, twice }: Verdict): string {
  return `lost ${lost}, twice ${twice} (sent ${sent}, acknowledged ${acked}, stored ${stored})`;
}

export function isPassed({ checks }: Result): boolean {
  return checks.every(({ isMet }) => isMet);
}

export function describe(row: Row, result: Result, tookMs: number): string {
  const failed = result.checks.filter(({ isMet }) => !isMet).map(({ what }) => `      missed: ${what}`);
  const head = `${row.id.padEnd(4)} ${isPassed(result) ? 'pass' : 'FAIL'}  ${row.title} (${(tookMs / 1000).toFixed(0)} s)`;
  return [head, ...result.figures.map((figure) => `      ${figure}`), ...failed].join('\n');
}

/** All rows of a run in one table: what is asked, and what was seen. */
export function tableOf(results: readonly { id: string; result: Result }[]): string {
  const lines = results.flatMap(({ id, result: { checks } }) =>
    checks.map(({ what, isMet, seen }) => `| ${id} | ${what.split('\n')[0]} | ${seen} | ${isMet ? 'yes' : '**no**'} |`),
  );
  return ['| # | asked | seen | met |', '|---|---|---|---|', ...lines].join('\n');
}

/** The value below which a share of the numbers lies; 0 of none. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;
}
