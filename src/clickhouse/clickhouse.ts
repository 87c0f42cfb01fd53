/**
 * The events once more in ClickHouse, for projects that outgrow one machine. PostgreSQL stays the system of record: what is stored there is copied, and
 * what changes there is followed. Owner of `clickhouse_state`, `clickhouse_changes` and `clickhouse_projects`, and of the tables in ClickHouse.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { NoteChange } from '#src/accounts/note-change.ts';
import type { Columns } from '#src/columns/columns.ts';
import { type DroppedEvents, type DroppedRows, droppedMonths, forgetEmptyMonths } from '#src/events/dropped.ts';
import { acceptDays } from '#src/events/dropped-changes.ts';
import { busy } from '#src/kit/errors.ts';
import { isLate } from '#src/kit/late.ts';
import { connectDirect, levelOf } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { lookAhead } from './ahead.ts';
import { type CopiedColumnsParts, copiedColumns } from './columns.ts';
import { type ClickhouseConfig, type ClickhouseConnection, openClickhouse, reasonOf } from './connection.ts';
import type { ClickhouseStatus, ProjectCopy } from './contract.ts';
import { checkDrop, type Droppable, dropMonth } from './dropping/drop.ts';
import { createDroppedEvents } from './dropping/dropped-events.ts';
import { otherDays } from './dropping/kept.ts';
import type { Month } from './dropping/month.ts';
import { refusingDropped } from './dropping/refusing.ts';
import { createDroppedRows } from './dropping/rows.ts';
import { type EventsRead, type PastHistoryParts, pastHistory } from './past-events.ts';
import { readProjectCopy, switchProject } from './project-switch.ts';
import { openShipper } from './shipper.ts';
import * as state from './state.ts';
import { lockShipping, migrateClickhouse } from './target.ts';
import { type ClickhouseVerification, type VerifyProgress, verifyCopy } from './verify.ts';
import { compareKinds, type KindCompared, type KindsCompared } from './verify-kinds.ts';

export type { ClickhouseVerification, VerifyProgress } from './verify.ts';
export type { KindCompared } from './verify-kinds.ts';

/** Called while it is verified. */
export interface VerifyListeners {
  onRows?: (progress: VerifyProgress) => void;
  onKind?: (compared: KindCompared) => void;
}

export interface Clickhouse {
  /**
   * Copies in the background until `stop`, as often as something was stored: beside the job slots, since it never ends. One process at a time copies;
   * the others look again after a pause, as all do after a failure. Can be interrupted at any point.
   */
  start(): void;
  /**
   * Copies everything that is committed. @returns false when another process is copying
   * @param options.waits until no other process copies, for some minutes
   */
  shipAll(options?: { waits?: boolean }): Promise<boolean>;
  /**
   * Copies the same, and holds what is copied against what is stored, and answers by kind of insight against those of the engine. @throws AppError `busy` when another
   * process copies for minutes
   */
  verify(
    engine: Columns,
    onProgress?: VerifyListeners,
  ): Promise<ClickhouseVerification & Pick<KindsCompared, 'queries'>>;
  /** The engine's columns; of switched projects some of their queries run on ClickHouse. */
  columnsOver(engine: Columns): Columns;
  /** The same history, with events of switched projects that are older than the hot window, or dropped, from ClickHouse. */
  historyOver<Whole extends EventsRead>(history: Whole): Whole;
  /** What is asked of ClickHouse about events that PostgreSQL does not have any more. */
  readonly dropped: DroppedEvents;
  readonly droppedRows: DroppedRows;
  /**
   * Copies everything, and looks whether PostgreSQL may do without the single events of a month, or drops them.
   * @throws AppError `invalid`, `conflict` with what stands against it; `busy` when another process copies for minutes
   */
  drop(month: Month, isDone: boolean): Promise<Droppable>;
  /**
   * Takes what ClickHouse has of dropped months as all there is, when the rest is lost for good.
   * @returns days that differed
   */
  acceptLoss(): Promise<number>;
  status(): Promise<ClickhouseStatus>;
  /** Where a project's insights run, and how far its copy is. */
  project(projectId: number): Promise<ProjectCopy>;
  /** Within seconds in all processes. @throws AppError `conflict` while not everything is copied */
  switchProject(project: { id: number; name: string }, isOn: boolean, note: NoteChange): Promise<void>;
  stop(): Promise<void>;
}

/** Between two looks for new events. */
const PAUSE_MS = 5_000;
/** After it the lock is given back for a moment: commands wait for it. */
const ROUND_MS = 60_000;
/** While another process copies, and after a failure. */
const AGAIN_MS = 15_000;
/** What is being sent when the process stops may be cut short. */
const END_MS = 5_000;
/** More are not counted. */
const MAX_BACKLOG = 100_000;

export type ClickhouseDeps = Pick<Deps, 'clock' | 'db' | 'log'> & {
  config: ClickhouseConfig & Pick<Deps['config'], 'DATABASE_URL' | 'DIRECT_DATABASE_URL'>;
};

export interface ClickhouseOptions {
  /** See `lookAhead`. */
  batch?: number;
  /** See `copiedColumns`. */
  onAnswer?: CopiedColumnsParts['onAnswer'];
  /** See `pastHistory`. */
  onFound?: PastHistoryParts['onFound'];
}

interface Shipping {
  client: Client;
  house: ClickhouseConnection;
  step(): Promise<boolean>;
}

const othersCopy = () => busy('Another process is copying to ClickHouse. Try again in a moment.', 60);

async function openReading(config: ClickhouseDeps['config']): Promise<Client> {
  const client = await connectDirect(config, () => undefined); // the next query reports it
  // By their indexes, regardless of what the statistics know of the newest rows.
  await client.query(
    `set jit = off; set enable_seqscan = off; set work_mem = '64MB'; set timezone = 'UTC'; set datestyle = 'ISO, YMD'`,
  );
  return client;
}

/** One for the lock and what is known, and, once it is needed, one for the rows. */
async function openConnections(config: ClickhouseDeps['config']) {
  const open: Promise<Client>[] = [openReading(config)];
  const client = (await open[0]) as Client;
  return {
    client,
    openReader: () => (open[1] ??= openReading(config)),
    async close(): Promise<void> {
      for (const each of open) await each.then((opened) => opened.end()).catch(() => undefined); // it was lost already
    },
  };
}

async function untilDone(step: () => Promise<boolean>): Promise<void> {
  while (!(await step()));
}

/** Null without CLICKHOUSE_URL. Nothing is opened before it is needed. */
export function createClickhouse(deps: ClickhouseDeps, options: ClickhouseOptions = {}): Clickhouse | null {
  const { config, clock, db, log } = deps;
  if (config.CLICKHOUSE_URL === undefined) return null;
  let opened: Promise<ClickhouseConnection> | null = null;
  let isMigrated = false;
  let ahead = lookAhead(options.batch);
  let running: Promise<void> | null = null;
  const stopping = new AbortController();

  function connection(): Promise<ClickhouseConnection> {
    opened ??= openClickhouse(config);
    return opened;
  }

  /** @returns false when another process has the lock */
  async function withShipper(work: (shipping: Shipping) => Promise<void>, waits = false): Promise<boolean> {
    const { client, openReader, close } = await openConnections(config);
    try {
      if (!(await lockShipping(client, waits))) return false;
      const house = await connection();
      if (!isMigrated) await migrateClickhouse(house);
      isMigrated = true;
      const shipper = await openShipper({ client, openReader, house, clock, ahead });
      await work({ client, house, step: () => shipper.step() });
      return true;
    } catch (error) {
      // ClickHouse may have come back without its tables, PostgreSQL as an older copy.
      isMigrated = false;
      ahead = lookAhead(options.batch);
      await state.noteError(db, reasonOf(error), clock.now()).catch(() => undefined); // what is thrown says more
      throw error;
    } finally {
      await close();
    }
  }

  /** When everything is copied, while nobody copies. Its failures are none of copying. @throws AppError `busy` when another process copies for minutes */
  async function whenCopied<Result>(work: (parts: Omit<Shipping, 'step'>) => Promise<Result>): Promise<Result> {
    const results: Promise<Result>[] = [];
    await withShipper(async ({ client, house, step }) => {
      await untilDone(step);
      await client.query('set enable_seqscan = on');
      const result = work({ client, house });
      results.push(result);
      await result.catch(() => undefined); // thrown to who asked
    }, true);
    const [result] = results;
    if (result === undefined) throw othersCopy();
    return result;
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined); // it was stopped
  }

  /** @returns false when another process copies */
  function copyRound(): Promise<boolean> {
    const end = clock.elapsed() + ROUND_MS;
    return withShipper(async ({ step }) => {
      while (!stopping.signal.aborted && clock.elapsed() < end) if (await step()) await pause(PAUSE_MS);
    });
  }

  async function copyUntilStopped(): Promise<void> {
    // Said once for each reason, not four times a minute.
    let said: string | null = null;
    while (!stopping.signal.aborted) {
      try {
        if (!(await copyRound())) await pause(AGAIN_MS);
        said = null;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const reason = reasonOf(error);
        const level = levelOf(error) === 'debug' ? 'debug' : 'error';
        if (reason !== said) log[level]({ err: error, reason }, 'copying to ClickHouse failed; will retry');
        said = reason;
        await pause(AGAIN_MS);
      }
    }
  }

  return {
    start() {
      running ??= copyUntilStopped();
    },
    shipAll: ({ waits } = {}) => withShipper(({ step }) => untilDone(step), waits),
    verify: (engine, { onRows, onKind } = {}) =>
      whenCopied(async ({ client, house }) => {
        const { shipped } = await state.readState(client);
        const copy = await verifyCopy(client, house, shipped, { onProgress: onRows });
        const kinds = await compareKinds(deps, house, engine, onKind);
        return { ...copy, queries: kinds.queries, findings: [...copy.findings, ...kinds.findings] };
      }),
    columnsOver: (engine) => copiedColumns(engine, { ...deps, connection, onAnswer: options.onAnswer }),
    historyOver(history) {
      const { CLICKHOUSE_HOT_DAYS: hotDays } = config;
      const whole = refusingDropped(db, history);
      return pastHistory(whole, { ...deps, connection, hotDays, onFound: options.onFound });
    },
    dropped: createDroppedEvents({ db, connection }),
    droppedRows: createDroppedRows({ db, connection }),
    drop(month, isDone) {
      const hotDays = config.CLICKHOUSE_HOT_DAYS;
      return whenCopied((parts) => (isDone ? dropMonth : checkDrop)({ ...parts, hotDays, now: clock.now() }, month));
    },
    acceptLoss: () =>
      whenCopied(async ({ client, house }) => {
        const others = await otherDays(client, house);
        await db.transaction((transaction) => acceptDays(transaction, others));
        await forgetEmptyMonths(db);
        return others.length;
      }),
    async status() {
      const [{ shipped, rows, caughtUpAt, error, errorAt, target }, projects, dropped] = await Promise.all([
        state.readState(db),
        state.readSwitched(db),
        droppedMonths(db),
      ]);
      const backlog = await state.countBacklog(db, target === null ? 0 : shipped, MAX_BACKLOG);
      return {
        events: rows,
        backlog,
        isMore: backlog === MAX_BACKLOG,
        caughtUpAt,
        error,
        errorAt,
        projects: projects.length,
        dropped: dropped.map(({ month, at, rows: events, isLost }) => ({ month, at, events, isLost })),
      };
    },
    project: (projectId) => readProjectCopy(deps, projectId),
    switchProject: (project, isOn, note) => switchProject(deps, project, isOn, note),
    async stop() {
      stopping.abort();
      if (running !== null) await isLate(running, END_MS);
      await (await opened?.catch(() => null))?.close();
    },
  };
}

/** Without CLICKHOUSE_URL: dropped months may be there all the same, and are an error where they are asked for. */
export function withoutClickhouse({ db }: Pick<Deps, 'db'>): Pick<Clickhouse, 'dropped' | 'historyOver'> {
  return {
    dropped: createDroppedEvents({ db, connection: null }),
    historyOver: (history) => refusingDropped(db, history),
  };
}
