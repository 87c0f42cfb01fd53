/** Periodic work of an open spool: the owner's heartbeat, and adoption of dead owners' files. */
import type * as nodeFs from 'node:fs';
import type { Log } from '#src/kit/log.ts';
import type { AdoptedFile, SpoolFolder } from './spool-folder.ts';
import { surveyRecords } from './spool-record.ts';
import type { SpoolFile } from './spool-writer.ts';

export interface SpoolUpkeep {
  /** Takes files over, now and from now on. */
  adopt(): void;
  /** Stops the timers. */
  stop(): void;
  /** Waits for what is under way. Never rejects. */
  settled(): Promise<void>;
}

export interface UpkeepParts {
  fs: typeof nodeFs;
  log: Log;
  folder: SpoolFolder;
  onAdopted(file: SpoolFile): void;
}

const BEAT_MS = 10_000;
const BEATS_PER_ADOPTION = 3;

export function startUpkeep({ fs, log, folder, onAdopted }: UpkeepParts): SpoolUpkeep {
  let isAdopting = false;
  let beats = 0;
  let background: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    const isAdoptionDue = beats++ % BEATS_PER_ADOPTION === 0;
    inBackground(async () => {
      await folder.beat();
      if (isAdoptionDue && isAdopting) await adopt();
    });
  }, BEAT_MS).unref();

  function inBackground(work: () => Promise<void>): void {
    background = background.then(work).catch((error: unknown) => {
      log.error({ err: error }, 'spool folder maintenance failed');
    });
  }

  async function adopt(): Promise<void> {
    for (const { path, isLast } of await folder.adopt()) onAdopted(await surveyed({ path, isLast }));
  }

  /** A file that cannot be read now is not forgotten: those after it come in their turn, and replay tries it again. */
  async function surveyed({ path, isLast }: AdoptedFile): Promise<SpoolFile> {
    const file = { path, isLast, replayedBytes: 0, replayedEvents: 0, damage: null, isNewer: false };
    try {
      const bytes = await fs.promises.readFile(path);
      return { ...file, bytes: bytes.length, ...surveyRecords(bytes) };
    } catch (error) {
      log.error({ err: error, file: path }, 'failed to read a spool file');
      const { size } = await fs.promises.stat(path);
      return { ...file, bytes: size, events: 0, oldestAt: null };
    }
  }

  return {
    adopt() {
      isAdopting = true;
      inBackground(adopt);
    },
    stop: () => clearInterval(timer),
    settled: () => background,
  };
}
