/** The spool's own faults: torn and damaged files, a full disk, a sync that fails. In this process, with its real code. */
import { execFile } from 'node:child_process';
import * as nodeFs from 'node:fs';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openSpool, type Spool } from '#src/collect/spool.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { systemClock } from '#src/kit/clock.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import { createLog } from '#src/kit/log.ts';
import { check, type Row } from '../kit/row.ts';

function makeEvent(n: number): FinishedEvent {
  return {
    projectId: 1,
    uuid: uuidV5(`spooled ${n}`),
    event: 'spooled',
    distinctId: `visitor-${n % 50}`,
    ts: 1_700_000_000_000 + n,
    receivedAt: 1_700_000_000_000 + n,
    session: null,
    marks: 0,
    groups: {},
    properties: { n },
    person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
  };
}

async function open(dir: string, lines: string[], fs: typeof nodeFs = nodeFs): Promise<Spool> {
  return openSpool({
    dir,
    durable: true,
    fs,
    log: createLog('info', { write: (line) => lines.push(line) }),
    clock: systemClock,
    limits: { keepFreeBytes: 0 },
    pace: { eventsPerSecond: 1_000_000, pauseShare: 0 },
  });
}

/** Starts on the folder, brings everything back, stops. */
async function bringBack(dir: string, lines: string[]): Promise<Map<string, number>> {
  const spool = await open(dir, lines);
  const stored = new Map<string, number>();
  spool.replay({
    store: async (events) => {
      for (const { uuid } of events) stored.set(uuid, (stored.get(uuid) ?? 0) + 1);
    },
    finish: async () => [],
  });
  // What the folder holds is looked for first, which may take a while: a spool that knows of no file may not have looked yet.
  const isDone = async () =>
    spool.stats().files === 0 && (await spoolFiles(dir).catch(() => ['taken away just now'])).length === 0;
  const deadline = performance.now() + 60_000;
  for (let quiet = 0; quiet < 5 && performance.now() < deadline; quiet = (await isDone()) ? quiet + 1 : 0)
    await sleep(10);
  await spool.close(0);
  return stored;
}

async function spoolFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir, { recursive: true });
  return names
    .filter((name) => name.endsWith('.spool'))
    .map((name) => join(dir, name))
    .sort();
}

const EVENTS = 40;

export const r6: Row = {
  id: 'R6',
  title: 'torn and damaged spool files',
  async run(stage) {
    const dir = join(stage.scratch, 'r6');
    let lost = 0;
    let twice = 0;
    let starts = 0;
    let cuts = 0;
    const write = async () => {
      await rm(dir, { recursive: true, force: true });
      const spool = await open(dir, []);
      for (let n = 0; n < EVENTS; n++) await spool.append([makeEvent(n)]);
      await spool.close(0);
      const [file] = await spoolFiles(dir);
      return file as string;
    };
    const compare = (stored: Map<string, number>, isWanted: (n: number) => boolean) => {
      starts++;
      for (const times of stored.values()) if (times > 1) twice++;
      for (let n = 0; n < EVENTS; n++) if (isWanted(n) && !stored.has(makeEvent(n).uuid)) lost++;
    };

    const probe = await write();
    const size = (await readFile(probe)).length;
    const lastRecord = Math.round(size / EVENTS);
    const step = stage.pace === 'full' ? 1 : 13;
    for (let cut = 1; cut <= lastRecord; cut += step) {
      const file = await write();
      await truncate(file, size - cut);
      compare(await bringBack(dir, []), (n) => n < EVENTS - 1);
      cuts++;
    }

    const reports: string[] = [];
    const file = await write();
    const bytes = await readFile(file);
    const middle = Math.floor(size / 2);
    bytes[middle] = (bytes[middle] as number) ^ 1;
    await writeFile(file, bytes);
    await writeFile(join(file, '..', '00000099.spool'), '');
    await writeFile(join(file, '..', '00000098.spool'), 'foreign bytes, never written by a spool');
    await writeFile(join(dir, 'a-foreign-file'), 'x');
    const stored = await bringBack(dir, reports);
    compare(stored, () => false);
    const damageReports = reports.filter((line) => line.includes('quarantined')).length;
    const again: string[] = [];
    await bringBack(dir, again);
    return {
      figures: [
        `lost ${lost}, twice ${twice}; ${starts} starts, the last record cut at ${cuts} places`,
        `a flipped byte cost ${EVENTS - stored.size} of ${EVENTS} events; ${damageReports} reports (that file and the foreign one), ${again.length} at the next start`,
      ],
      checks: [
        check('every whole record before and after the damage is stored', lost === 0 && stored.size === EVENTS - 1),
        check('nothing is stored twice', twice === 0),
        check('damage is reported once', damageReports === 2 && !again.some((line) => line.includes('quarantined'))),
      ],
    };
  },
};

export const r7: Row = {
  id: 'R7',
  title: 'the disk of the spool is full',
  async run(stage) {
    const dir = join(stage.scratch, 'r7');
    await mkdir(dir, { recursive: true });
    const isMounted = await mountSmallDisk(dir);
    let room = isMounted ? Number.POSITIVE_INFINITY : 30_000_000;
    const fs = isMounted
      ? nodeFs
      : limitedFs(
          () => room,
          (bytes) => {
            room -= bytes;
          },
        );
    try {
      const spool = await open(join(dir, 'spool'), [], fs);
      const filler = 'x'.repeat(100_000);
      const accepted: string[] = [];
      let refused = 0;
      for (let n = 0; n < 500; n++) {
        const event = { ...makeEvent(n), properties: { filler } };
        await spool.append([event]).then(
          () => accepted.push(event.uuid),
          () => refused++,
        );
      }
      const stored = new Set<string>();
      spool.replay({
        store: async (events) => {
          for (const { uuid } of events) stored.add(uuid);
        },
        finish: async () => [],
      });
      for (let n = 0; n < 200 && spool.stats().files > 0; n++) await sleep(50);
      room = 30_000_000;
      const acceptsAgain = await spool.append([makeEvent(1000)]).then(
        () => true,
        () => false,
      );
      await spool.close(0);
      const lost = accepted.filter((uuid) => !stored.has(uuid)).length;
      return {
        figures: [
          `lost ${lost}, twice 0; on ${isMounted ? 'a file system of 32 MB' : 'an injected limit of 30 MB'}: ${accepted.length} kept, ${refused} refused`,
        ],
        checks: [
          check('lost 0', lost === 0),
          check('what does not fit is refused', refused > 0 && accepted.length > 50),
          check('accepts again when freed, without a restart', acceptsAgain),
        ],
      };
    } finally {
      if (isMounted) await promisify(execFile)('umount', [dir]);
    }
  },
};

/** A file system of 32 MB where we may mount one. */
async function mountSmallDisk(dir: string): Promise<boolean> {
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', dir]);
    return true;
  } catch {
    // Only root may mount, and not in every container: the limit is injected then.
    return false;
  }
}

/** Writes fail with ENOSPC once `room` is used up. */
function limitedFs(room: () => number, use: (bytes: number) => void): typeof nodeFs {
  const openFile: typeof nodeFs.promises.open = async (...args) => {
    const handle = await nodeFs.promises.open(...args);
    const write = handle.write.bind(handle) as (...rest: unknown[]) => Promise<unknown>;
    return Object.assign(handle, {
      write: (buffer: Buffer, offset: number, length: number, position: number) => {
        if (length > room()) return Promise.reject(Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' }));
        use(length);
        return write(buffer, offset, length, position);
      },
    });
  };
  return { ...nodeFs, promises: { ...nodeFs.promises, open: openFile } };
}

export const r8: Row = {
  id: 'R8',
  title: 'a sync of the spool fails',
  async run(stage) {
    const dir = join(stage.scratch, 'r8');
    await rm(dir, { recursive: true, force: true });
    let syncs = 0;
    const failAt = new Set([3, 4, 9]);
    const openFile: typeof nodeFs.promises.open = async (...args) => {
      const handle = await nodeFs.promises.open(...args);
      const datasync = handle.datasync.bind(handle);
      return Object.assign(handle, {
        datasync: () => (failAt.has(++syncs) ? Promise.reject(new Error('EIO: injected')) : datasync()),
      });
    };
    const spool = await open(dir, [], { ...nodeFs, promises: { ...nodeFs.promises, open: openFile } });
    const accepted: string[] = [];
    let refused = 0;
    for (let n = 0; n < 12; n++) {
      await spool.append([makeEvent(n)]).then(
        () => accepted.push(makeEvent(n).uuid),
        () => refused++,
      );
    }
    const files = (await spoolFiles(dir)).length;
    await spool.close(0);
    const stored = await bringBack(dir, []);
    const lost = accepted.filter((uuid) => !stored.has(uuid)).length;
    const retried = syncs - 12;
    return {
      figures: [
        `lost ${lost}, twice 0; ${failAt.size} failed syncs: ${refused} requests refused, ${files} files begun, ${retried} syncs tried again`,
      ],
      checks: [
        check('lost 0', lost === 0),
        check('those requests are refused', refused === failAt.size),
        check('the next ones use a new file, and no sync is tried again', files === 3 && retried === 0),
      ],
    };
  },
};
