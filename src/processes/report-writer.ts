/** Writes a process's report: a row of `process_reports` for each changed part. */
import { isDataError } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';

export interface ReportWriter {
  /**
   * Writes the parts that say something else than before; all of them when the process is over. What cannot be stored of one costs the
   * others nothing.
   *
   * @throws while the database is away
   */
  write(parts: ReadonlyMap<string, () => unknown>, isOver: boolean): Promise<void>;
}

/** This process's report of a part, as JSON. */
interface PartReport {
  part: string;
  text: string;
}

/** The part about the process itself; also its heartbeat, so it is always written. */
export const SELF = 'self';

/** @param own the process */
export function createReportWriter(
  { write: pool, clock, log }: Pick<Deps, 'write' | 'clock' | 'log'>,
  own: string,
): ReportWriter {
  /** The rows' contents as last written. */
  const written = new Map<string, string>();

  async function writeChanged(parts: ReadonlyMap<string, () => unknown>, isOver: boolean): Promise<void> {
    const said = [...parts].flatMap(([part, says]) => textOf(part, says));
    const changed = isOver ? said : said.filter(({ part, text }) => part === SELF || written.get(part) !== text);
    try {
      await insert(changed, isOver);
    } catch (error) {
      if (!isDataError(error)) throw error;
      for (const each of changed) await insertAlone(each, isOver);
    }
  }

  /** Empty when the part fails, so that others are still written. */
  function textOf(part: string, says: () => unknown): PartReport[] {
    try {
      return [{ part, text: JSON.stringify(says()) }];
    } catch (error) {
      log.error({ err: error, part }, 'failed to collect a process report section');
      return [];
    }
  }

  async function insertAlone(said: PartReport, isOver: boolean): Promise<void> {
    try {
      await insert([said], isOver);
    } catch (error) {
      if (!isDataError(error)) throw error;
      log.error({ err: error, part: said.part }, 'failed to store a process report section');
    }
  }

  async function insert(said: readonly PartReport[], isOver: boolean): Promise<void> {
    await pool.query(
      `insert into process_reports (process, part, says, at, is_over)
       select $1, part, says, $4, $5 from unnest($2::text[], $3::jsonb[]) as said (part, says)
       on conflict (process, part) do update set says = excluded.says, at = excluded.at, is_over = excluded.is_over`,
      [own, said.map(({ part }) => part), said.map(({ text }) => text), new Date(clock.now()), isOver],
    );
    for (const { part, text } of said) written.set(part, text);
  }

  return { write: writeChanged };
}
