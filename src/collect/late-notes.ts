/**
 * Notes whose events are answered already, or that may have been written by a transaction that nobody waits for any more. They are written
 * beside the lanes, one transaction at a time: it may have to wait for the one that was given up.
 */
import type { Clock } from '#src/kit/clock.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { NoteSet } from './notes.ts';
import { mergeNotes } from './warnings.ts';

export interface LateNotes {
  add(set: NoteSet): void;
  /** Writes what waits; resolves when it is written, or waits on. Never throws. */
  write(): Promise<void>;
  /** What is not written, to be kept elsewhere. */
  take(): NoteSet[];
}

export interface LateNotesParts {
  /** Counts those that were not counted before. */
  count(sets: readonly NoteSet[]): Promise<void>;
  clock: Clock;
  onFailure(error: unknown): void;
}

/** Beyond so many they are put together, under an id of their own: memory is bounded, and one that was counted may count again. */
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
