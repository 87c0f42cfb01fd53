/** The files of a spool: those that nothing is appended to any more, oldest first, and the one being written. */
import type { SpoolFile } from './spool-writer.ts';

export interface SpoolFiles {
  /** Takes a file that nothing is appended to any more. */
  add(file: SpoolFile): void;
  remove(file: SpoolFile): void;
  all(): readonly SpoolFile[];
  /** The oldest with records that are not in the database, or without any that can be appended to. */
  next(): SpoolFile | null;
  usedBytes(): number;
  /** Events and files that are not in the database yet. */
  left(): SpoolLeft;
}

export interface SpoolLeft {
  events: number;
  bytes: number;
  files: number;
  /** Receipt of the oldest event, ms; null when there are none. */
  oldestAt: number | null;
}

/** @param current the file being written */
export function createSpoolFiles(current: () => SpoolFile | null): SpoolFiles {
  const sealed: SpoolFile[] = [];

  function all(): readonly SpoolFile[] {
    const written = current();
    return written === null ? sealed : [...sealed, written];
  }

  function sum(of: (file: SpoolFile) => number): number {
    return all().reduce((total, file) => total + of(file), 0);
  }

  return {
    all,
    add: (file) => sealed.push(file),
    remove(file) {
      const at = sealed.indexOf(file);
      if (at !== -1) sealed.splice(at, 1);
    },
    next: () => all().find((file) => file.bytes > file.replayedBytes || file !== current()) ?? null,
    usedBytes: () => sum((file) => file.bytes),
    left() {
      const oldestAt = Math.min(...all().map((file) => file.oldestAt ?? Number.POSITIVE_INFINITY));
      return {
        events: sum((file) => file.events - file.replayedEvents),
        bytes: sum((file) => file.bytes - file.replayedBytes),
        files: all().length,
        oldestAt: Number.isFinite(oldestAt) ? oldestAt : null,
      };
    },
  };
}
