/**
 * Cache of flag definitions by project. NOTIFY triggers a reload; while the listener is disconnected, entries older than a
 * second are reloaded. While the database is unavailable the last ones are used, and marked as possibly stale.
 */
import type { Notices } from '#src/events/events.ts';
import { unavailable } from '#src/kit/errors.ts';
import { isLate } from '#src/kit/late.ts';
import type { People } from '#src/persons/people.ts';
import type { Deps } from '#src/store/deps.ts';
import { type EarlyAccessFeature, type Flag, flagDefinition } from './contract.ts';
import { type CompiledFlags, compileFlags } from './evaluation/compile.ts';
import * as queries from './queries.ts';

export interface ProjectFlags {
  compiled: CompiledFlags;
  flags: readonly Flag[];
  earlyAccess: readonly EarlyAccessFeature[];
  /** Names by number. */
  groupTypes: ReadonlyMap<number, string>;
}

export interface Definitions {
  /**
   * Flags as they are now. `isCurrent`: false while the database does not say whether they are.
   * @throws AppError `unavailable` when none are known yet and the database is away
   */
  of(projectId: number): Promise<{ project: ProjectFlags; isCurrent: boolean }>;
  /** Cached flags, synchronously; undefined: not loaded yet, and loading in the background. */
  known(projectId: number): ProjectFlags | undefined;
}

/** While changes are heard; group types come without a notice. */
const HEARD_MS = 60_000;
/** While they are not. */
const UNHEARD_MS = 1_000;
/** How long a read is waited for when old flags are known … */
const OLD_MS = 100;
/** … and when none are. */
const FIRST_MS = 2_000;
const MAX_PROJECTS = 1_000;

interface Entry {
  project: ProjectFlags | null;
  /** Start of the last successful read, monotonic ms. */
  readAt: number;
  isStale: boolean;
  failedAt: number;
  reading: Promise<void> | null;
}

type DefinitionDeps = Pick<Deps, 'write' | 'clock' | 'log'>;

export function createDefinitions(
  { write, clock, log }: DefinitionDeps,
  { notices, people }: { notices: Notices; people: Pick<People, 'lookup'> },
): Definitions {
  const entries = new Map<number, Entry>();
  let isHeard = false;

  notices.subscribe(queries.flagsChannel, {
    onMessage(payload) {
      const projectId = Number(payload);
      const entry = entries.get(projectId);
      if (entry === undefined) return;
      entry.isStale = true;
      void readAgain(projectId, entry);
    },
    onChange(listening) {
      isHeard = listening;
      for (const entry of entries.values()) entry.isStale = true;
    },
  });

  function entryOf(projectId: number): Entry {
    let entry = entries.get(projectId);
    if (entry === undefined) {
      entry = { project: null, readAt: 0, isStale: true, failedAt: Number.NEGATIVE_INFINITY, reading: null };
      const [oldest] = entries.size >= MAX_PROJECTS ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(projectId, entry);
    }
    return entry;
  }

  function isFresh(entry: Entry): boolean {
    if (entry.project === null || entry.isStale) return false;
    return clock.elapsed() - entry.readAt < (isHeard ? HEARD_MS : UNHEARD_MS);
  }

  /** Reads again when a change arrived during the read. */
  async function readAgain(projectId: number, entry: Entry): Promise<void> {
    await entry.reading;
    if (!isFresh(entry)) await read(projectId, entry);
  }

  function read(projectId: number, entry: Entry): Promise<void> {
    entry.reading ??= readOnce(projectId, entry)
      .catch((error: unknown) => {
        entry.failedAt = clock.elapsed();
        log.debug({ err: error }, 'failed to read feature flags');
      })
      .finally(() => {
        entry.reading = null;
      });
    return entry.reading;
  }

  async function readOnce(projectId: number, entry: Entry): Promise<void> {
    const readAt = clock.elapsed();
    entry.isStale = false;
    try {
      const [rows, earlyAccess, groupTypes] = await Promise.all([
        queries.flagsOf(write, projectId),
        queries.earlyAccessOf(write, projectId),
        people.lookup.groupTypesOf(write, projectId),
      ]);
      const flags = rows.map(asFlag);
      entry.project = { flags, earlyAccess, groupTypes, compiled: compileFlags(flags, groupTypes) };
      entry.readAt = readAt;
    } catch (error) {
      entry.isStale = true;
      throw error;
    }
  }

  function mayTry(entry: Entry): boolean {
    return clock.elapsed() - entry.failedAt >= UNHEARD_MS;
  }

  return {
    async of(projectId) {
      const entry = entryOf(projectId);
      if (!isFresh(entry) && mayTry(entry)) {
        await isLate(read(projectId, entry), entry.project === null ? FIRST_MS : OLD_MS);
      }
      const { project } = entry;
      if (project === null) throw unavailable('Feature flags are unavailable. Retry in a moment.', 1);
      return { project, isCurrent: isFresh(entry) };
    },
    known(projectId) {
      const entry = entryOf(projectId);
      if (!isFresh(entry) && mayTry(entry)) void read(projectId, entry);
      return entry.project ?? undefined;
    },
  };
}

/** @throws for a stored definition that is none: a newer program wrote it */
export function asFlag(row: queries.FlagRow): Flag {
  return { ...row, definition: flagDefinition.parse(row.definition) };
}
