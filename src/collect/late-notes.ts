/**
 * Notes of answered events, and notes of abandoned transactions, which may have been committed. They are written
 * outside the lanes, one transaction at a time: it may have to wait for the abandoned one.
 */
import type { Clock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { NoteSet } from './notes.ts';
import { mergeNotes } from './warnings.ts';

export interface LateNotes {
  add(set: NoteSet): void;
  /** Writes what waits; resolves when it is written, or waits on. Never throws. */
  write(): Promise<void>;
  /** Removes and returns the unwritten notes, to be kept elsewhere. */
  take(): NoteSet[];
}

export interface LateNotesParts {
  /** Counts those that were not counted before. */
  count(sets: readonly NoteSet[]): Promise<void>;
  clock: Clock;
  onFailure(error: unknown): void;
}

/** Beyond this number, sets are merged under a new id to bound memory; a set that was already counted may count twice. */
const MAX_SETS = 1_000;

export function createLateNotes({ count, clock, onFailure }: LateNotesParts): LateNotes {
  let sets: NoteSet[] = [];
  let others: NoteSet | null = null;
  let writing: Promise<void> | null = null;

  function take(): NoteSet[] {
    const all = others === null ? sets : [...sets, others];
    sets = [];
    others = null;
    return all;
  }

  async function writeAll(): Promise<void> {
    try {
      while (sets.length > 0) {
        const some = take();
        sets = some;
        await count(some);
        const written = new Set(some);
        sets = sets.filter((set) => !written.has(set));
      }
    } catch (error) {
      onFailure(error);
    } finally {
      writing = null;
    }
  }

  return {
    add(set) {
      if (set.notes.length === 0) return;
      if (sets.length < MAX_SETS) sets = [...sets, set];
      else {
        others ??= { id: uuidV7(clock.now()), notes: [] };
        others = { ...others, notes: mergeNotes([...others.notes, ...set.notes]) };
      }
    },
    write() {
      if (sets.length > 0) writing ??= writeAll();
      return writing ?? Promise.resolve();
    },
    take,
  };
}
