/** Keeps events and notes that cannot be written now in the spool; notes without a disk stay in memory. */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { Log } from '#src/kit/log.ts';
import { cannotStore } from './deadline.ts';
import type { NoteSet } from './notes.ts';
import type { Spool } from './spool.ts';

export interface Keeper {
  /** Spools a batch, which counts as stored on a durable disk. @throws unavailable, or the disk's error */
  events(events: FinishedEvent[], notes: NoteSet): Promise<void>;
  /** Keeps notes where a restart does not end them; without a disk they wait in memory. Never throws. */
  notes(set: NoteSet): Promise<void>;
}

export interface KeeperParts {
  /** Null: no disk to write to. */
  spool: Pick<Spool, 'durable' | 'append'> | null;
  log: Pick<Log, 'warn'>;
  /** Why they cannot be written. */
  cause(): unknown;
  keepInMemory(set: NoteSet): void;
  /** Called for events that are on disk, durable or not. */
  onSpooled(events: number): void;
}

export function createKeeper({ spool, log, cause, keepInMemory, onSpooled }: KeeperParts): Keeper {
  async function keepEvents(events: FinishedEvent[], notes: NoteSet): Promise<void> {
    if (events.length > 0) {
      if (spool === null) throw cannotStore(cause());
      await spool.append(events);
      onSpooled(events.length);
      if (!spool.durable) throw cannotStore(cause());
    }
    await keepNotes(notes);
  }

  async function keepNotes(set: NoteSet): Promise<void> {
    if (set.notes.length === 0) return;
    try {
      if (spool === null) keepInMemory(set);
      else await spool.append(set);
    } catch (error) {
      log.warn({ err: error }, 'failed to spool ingestion warnings');
      keepInMemory(set);
    }
  }

  return { events: keepEvents, notes: keepNotes };
}
