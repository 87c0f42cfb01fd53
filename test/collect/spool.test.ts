/** The spool alone: torn and damaged files (R6), a full disk (R7), a failed sync (R8), adoption, the rescue mode. */
import * as nodeFs from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSpool, type Spool, type SpoolOptions, spoolPlace } from '#src/collect/spool.ts';
import { crc32c, encodeRecord } from '#src/collect/spool-record.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { systemClock } from '#src/kit/clock.ts';
import { AppError, busy, unavailable } from '#src/kit/errors.ts';
import { uuidV5 } from '#src/kit/ids.ts';
import { createLog } from '#src/kit/log.ts';

let root: string;
let lines: string[];
const open: Spool[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'luneta-spool-test-'));
  lines = [];
});
afterEach(async () => {
  for (const spool of open.splice(0)) await spool.close(0);
  await rm(root, { recursive: true, force: true });
});

const log = createLog('info', { write: (line) => lines.push(line) });
const logged = (text: string) => lines.filter((line) => line.includes(text)).length;

async function start(options: Partial<SpoolOptions> = {}): Promise<Spool> {
  const spool = await openSpool({
    dir: root,
    durable: true,
    fs: nodeFs,
    log,
    clock: systemClock,
    limits: { keepFreeBytes: 0 },
    pace: { eventsPerSecond: 1_000_000, pauseShare: 0 },
    ...options,
  });
  open.push(spool);
  return spool;
}

async function stop(spool: Spool): Promise<void> {
  open.splice(open.indexOf(spool), 1);
  await spool.close(0);
}

function makeEvent(n: number): FinishedEvent {
  return {
    projectId: 1,
    uuid: uuidV5(`event ${n}`),
    event: 'seen',
    distinctId: `visitor ${n % 7}`,
    ts: 1_700_000_000_000 + n,
    receivedAt: 1_700_000_000_500 + n,
    session: null,
    marks: 0,
    groups: { page: { $pathname: `/página/${n}` } },
    properties: { n, note: 'x'.repeat(20) },
    person: { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null },
  };
}

const some = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => makeEvent(from + i));

/** Replays into memory until nothing is left on disk, but for `ofOthers` files of spools that live. */
async function replayAll(spool: Spool, isReady = () => true, ofOthers = 0): Promise<FinishedEvent[]> {
  const stored: FinishedEvent[] = [];
  spool.replay({
    store: (events) => {
      if (!isReady()) return Promise.reject(unavailable('away'));
      stored.push(...events);
      return Promise.resolve();
    },
    finish: (record) =>
      Promise.resolve(record.uuids.map((uuid) => ({ ...makeEvent(0), uuid, distinctId: record.token }))),
  });
  await untilReplayed(spool, ofOthers);
  return stored;
}

/** Adoption runs in the background and says nothing when it is over; what it has not looked at yet lies on disk. */
async function untilReplayed(spool: Spool, ofOthers = 0): Promise<void> {
  const givenUpAt = performance.now() + 15_000;
  for (let quiet = 0; quiet < 5 && performance.now() < givenUpAt; ) {
    await new Promise((wake) => setTimeout(wake, 10));
    const left = await spoolFiles();
    quiet = spool.stats().files === 0 && left.length === ofOthers ? quiet + 1 : 0;
  }
  expect(spool.stats()).toMatchObject({ files: 0, events: 0 });
}

async function spoolFiles(): Promise<string[]> {
  const names = await readdir(root, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    // A folder goes away when its files are taken over: look again.
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (names === null) return spoolFiles();
  return names
    .filter((name) => name.endsWith('.spool'))
    .map((name) => join(root, name))
    .sort();
}

/** A file system whose next calls of one function fail. */
function faulty(name: 'write' | 'datasync', makeError: (call: number) => Error | null): typeof nodeFs {
  let calls = 0;
  const openFile: typeof nodeFs.promises.open = async (...args) => {
    const handle = await nodeFs.promises.open(...args);
    const original = handle[name].bind(handle) as (...rest: unknown[]) => Promise<unknown>;
    Object.assign(handle, {
      [name]: (...rest: unknown[]) => {
        const error = makeError(++calls);
        return error ? Promise.reject(error) : original(...rest);
      },
    });
    return handle;
  };
  return { ...nodeFs, promises: { ...nodeFs.promises, open: openFile } };
}

const ioError = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

describe('records', () => {
  it('checks with CRC-32C', () => {
    expect(crc32c(Buffer.from('123456789')).toString(16)).toBe('e3069283');
    expect(crc32c(Buffer.alloc(32)).toString(16)).toBe('8a9136aa');
  });
});

describe('where the spool is', () => {
  it.each([
    ['postgres://u@localhost/db', undefined, true],
    ['postgres://u@127.0.0.1:5433/db', undefined, true],
    ['postgres://u@[::1]/db', undefined, true],
    ['postgres:///db?host=%2Fvar%2Frun%2Fpostgresql', undefined, true],
    ['postgres://u@db.example.com/db', undefined, false],
    ['postgres://u@db.example.com/db', '/data/spool', true],
  ])('%s with SPOOL_DIR %s: durable %s', (DATABASE_URL, SPOOL_DIR, durable) => {
    expect(spoolPlace({ DATABASE_URL, SPOOL_DIR }).durable).toBe(durable);
  });
});

describe('spooling and replaying', () => {
  it('gives back every event as it was, once', async () => {
    const spool = await start();
    await Promise.all(some(0, 1200).map((event) => spool.append([event])));
    await spool.append(some(1200, 3000));
    expect(spool.stats()).toMatchObject({ events: 3000, spooled: 3000, files: 1, oldestAt: 1_700_000_000_500 });
    const stored = await replayAll(spool);
    expect(stored.sort((a, b) => a.ts - b.ts)).toEqual(some(0, 3000));
    expect(spool.stats()).toMatchObject({ replayed: 3000, bytes: 0, oldestAt: null });
    expect(await spoolFiles()).toEqual([]);
  });

  it('begins a new file at the size limit and keeps files until their events are stored', async () => {
    const spool = await start({ limits: { keepFreeBytes: 0, fileBytes: 20_000 } });
    for (let n = 0; n < 10; n++) await spool.append(some(n * 20, n * 20 + 20));
    expect((await spoolFiles()).length).toBeGreaterThan(3);
    let isReady = false;
    setTimeout(() => {
      isReady = true;
    }, 300);
    expect(await replayAll(spool, () => isReady)).toHaveLength(200);
    expect(await spoolFiles()).toEqual([]);
  });

  it('finishes events whose project was unknown', async () => {
    const spool = await start();
    await spool.append({ token: 'lnt_x', receivedAt: 5, uuids: [uuidV5('a'), uuidV5('b')], raw: [{ event: 'seen' }] });
    expect((await replayAll(spool)).map(({ uuid, distinctId }) => [uuid, distinctId])).toEqual([
      [uuidV5('a'), 'lnt_x'],
      [uuidV5('b'), 'lnt_x'],
    ]);
  });

  it('reads nothing while it is known that the database is away', async () => {
    let reads = 0;
    const promises = {
      ...nodeFs.promises,
      open: (path: string, flags: string) => {
        if (flags === 'r') reads++;
        return nodeFs.promises.open(path, flags);
      },
    };
    const spool = await start({ fs: { ...nodeFs, promises } as unknown as typeof nodeFs });
    await spool.append(some(0, 5));
    let asked = 0;
    const readsThen: number[] = [];
    const stored: FinishedEvent[] = [];
    spool.replay({
      expectDatabase() {
        readsThen.push(reads);
        if (++asked < 3) throw unavailable('away');
      },
      store: (events) => Promise.resolve(void stored.push(...events)),
      finish: () => Promise.resolve([]),
    });
    await untilReplayed(spool);
    expect(stored).toHaveLength(5);
    expect(new Set(readsThen.slice(0, 3)).size).toBe(1);
    expect(reads).toBeGreaterThan(readsThen[0] as number);
  });

  it('brings notes back under the same id, however often they are read', async () => {
    const spool = await start();
    const note = { projectId: 1, reason: 'no_name', isDrop: true, times: 2, at: 60_000, sample: { uuid: 'a' } };
    await spool.append({ id: uuidV5('noted'), notes: [note] });
    await spool.append(some(0, 1));
    const noted: unknown[] = [];
    let failures = 2;
    spool.replay({
      store: () => (failures-- > 0 ? Promise.reject(unavailable('away')) : Promise.resolve()),
      finish: () => Promise.resolve([]),
      note: (id, notes) => Promise.resolve(void noted.push([id, notes])),
    });
    await untilReplayed(spool);
    expect(noted).toHaveLength(3);
    expect(new Set(noted.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(noted[0]).toEqual([uuidV5('noted'), [note]]);
  });

  it('brings back the bytes of requests for the mirror', async () => {
    const spool = await start();
    const request = {
      projectId: 7,
      receivedAt: 1,
      method: 'POST',
      path: '/e/',
      headers: { a: 'b' },
      body: Buffer.from([0, 255, 1, 128]),
    };
    await spool.append({ forward: request });
    const forwarded: unknown[] = [];
    spool.replay({
      store: () => Promise.resolve(),
      finish: () => Promise.resolve([]),
      forward: (again) => Promise.resolve(void forwarded.push(again)),
    });
    await untilReplayed(spool);
    expect(forwarded).toEqual([request]);
  });

  it('goes on after an outage that begins in the middle of a file', async () => {
    const spool = await start();
    await spool.append(some(0, 2000));
    let calls = 0;
    const stored = await replayAll(spool, () => ++calls !== 2);
    expect(stored).toHaveLength(2000);
    expect(spool.stats().setAside).toBe(0);
  });

  it('keeps a file aside whose events are refused again and again', async () => {
    const spool = await start();
    await spool.append(some(0, 3));
    spool.replay({ store: () => Promise.reject(new TypeError('a mistake')), finish: () => Promise.resolve([]) });
    for (let i = 0; i < 100 && spool.stats().setAside === 0; i++) await new Promise((wake) => setTimeout(wake, 100));
    expect(spool.stats()).toMatchObject({ setAside: 1, files: 0 });
    expect((await readdir(root, { recursive: true })).filter((name) => name.endsWith('.damaged'))).toHaveLength(1);
  });
});

it('says once that events stay on disk although the database is available, and nothing while it is away', async () => {
  // Minutes pass in moments.
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() * 500 };
  const spool = await start({ clock });
  await spool.append(some(0, 3));
  const before = logged('although the database is available');
  let isAway = true;
  spool.replay({
    expectDatabase() {
      if (isAway) throw unavailable('away');
    },
    store: () => Promise.reject(busy('no connection came free')),
    finish: () => Promise.resolve([]),
  });
  await new Promise((wake) => setTimeout(wake, 300));
  expect(logged('although the database is available')).toBe(before);
  isAway = false;
  for (let i = 0; i < 100 && logged('although the database is available') === before; i++) {
    await new Promise((wake) => setTimeout(wake, 20));
  }
  await new Promise((wake) => setTimeout(wake, 200));
  expect(logged('although the database is available')).toBe(before + 1);
});

describe('a file that cannot be set aside', () => {
  it('is tried again: nothing else ends with it', async () => {
    const rename: typeof nodeFs.promises.rename = (from, to) =>
      String(to).endsWith('.damaged') ? Promise.reject(ioError('EROFS')) : nodeFs.promises.rename(from, to);
    const spool = await start({ fs: { ...nodeFs, promises: { ...nodeFs.promises, rename } } });
    await spool.append(some(0, 3));
    let isMistaken = true;
    const stored: FinishedEvent[] = [];
    const store = async (events: FinishedEvent[]) => {
      if (isMistaken) throw new TypeError('a mistake');
      stored.push(...events);
    };
    spool.replay({ store, finish: () => Promise.resolve([]) });
    for (let i = 0; i < 100 && logged('failed to quarantine') === 0; i++) {
      await new Promise((wake) => setTimeout(wake, 100));
    }
    isMistaken = false;
    await untilReplayed(spool);
    expect(stored).toHaveLength(3);
    expect(spool.stats().setAside).toBe(0);
  });
});

describe('adoption', () => {
  it('sets a file aside that the disk does not give back, and reads those after it', async () => {
    const first = await start({ limits: { keepFreeBytes: 0, fileBytes: 1000 } });
    for (let n = 0; n < 9; n++) await first.append([makeEvent(n)]);
    await stop(first);
    const [bad] = await spoolFiles();
    const { ino } = nodeFs.statSync(bad as string);
    const isBad = (path: unknown) => nodeFs.statSync(path as string, { throwIfNoEntry: false })?.ino === ino;
    const readFile = ((path: string, ...rest: []) =>
      isBad(path) ? Promise.reject(ioError('EIO')) : nodeFs.promises.readFile(path, ...rest)) as never;
    const openFile: typeof nodeFs.promises.open = async (...args) => {
      const handle = await nodeFs.promises.open(...args);
      return isBad(args[0]) ? Object.assign(handle, { read: () => Promise.reject(ioError('EIO')) }) : handle;
    };
    const spool = await start({ fs: { ...nodeFs, promises: { ...nodeFs.promises, readFile, open: openFile } } });
    const stored = await replayAll(spool);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.at(-1)?.uuid).toBe(makeEvent(8).uuid);
    expect(spool.stats().setAside).toBe(1);
  });

  it('takes over what a process left, and leaves a living one alone', async () => {
    const first = await start();
    await first.append(some(0, 50));
    const second = await start();
    expect(await replayAll(second, () => true, 1)).toHaveLength(0);
    await stop(first);
    const third = await start();
    expect(await replayAll(third)).toHaveLength(50);
  });

  it('takes over from an owner whose process id now belongs to another program', async () => {
    const first = await start();
    await first.append(some(0, 5));
    const folder = first.stats().dir;
    const owner = JSON.parse(await readFile(join(folder, 'owner'), 'utf8'));
    await writeFile(join(folder, 'owner'), JSON.stringify({ ...owner, started: '1' }));
    const second = await start();
    expect(await replayAll(second)).toHaveLength(5);
    // The first is alive after all: it must not acknowledge what nobody will read.
    await expect(first.append(some(5, 6))).rejects.toThrow(AppError);
  });

  it('reads what it took over although another folder cannot be looked into', async () => {
    const first = await start();
    await first.append(some(0, 5));
    await stop(first);
    await mkdir(join(root, 'lost+found', 'owner'), { recursive: true });
    expect(await replayAll(await start())).toHaveLength(5);
    expect(logged('failed to take over')).toBe(1);
  });
});

describe('R6: torn and damaged files', () => {
  async function leave(events: number, fileBytes = 16_000_000): Promise<string[]> {
    const spool = await start({ limits: { keepFreeBytes: 0, fileBytes } });
    for (let n = 0; n < events; n++) await spool.append([makeEvent(n)]);
    await stop(spool);
    return spoolFiles();
  }

  it('cuts the last record wherever the write was torn', async () => {
    const whole = encodeRecord({ kind: 'events', events: [makeEvent(2)] }).length;
    for (let kept = 0; kept < whole; kept += kept < 12 || kept > whole - 12 ? 1 : 29) {
      const [file] = await leave(3);
      await truncate(file as string, (await readFile(file as string)).length - whole + kept);
      const spool = await start();
      expect((await replayAll(spool)).map(({ uuid }) => uuid)).toEqual(some(0, 2).map(({ uuid }) => uuid));
      expect(spool.stats().setAside).toBe(0);
      await stop(spool);
    }
    // A cut between two records leaves nothing to report.
    expect(logged('truncated an incomplete record')).toBeGreaterThan(20);
  });

  it('stores every whole record around a flipped byte and sets the file aside, once', async () => {
    for (const place of [0, 2, 5, 9, 100]) {
      const [file] = await leave(9);
      const bytes = await readFile(file as string);
      const record = encodeRecord({ kind: 'events', events: [makeEvent(0)] }).length;
      bytes[record * 4 + place] = (bytes[record * 4 + place] as number) ^ 0x41;
      await writeFile(file as string, bytes);
      const spool = await start();
      const wanted = some(0, 9).filter((_, n) => n !== 4);
      expect((await replayAll(spool)).map(({ uuid }) => uuid)).toEqual(wanted.map(({ uuid }) => uuid));
      expect(spool.stats().setAside).toBe(1);
      await stop(spool);
      const again = await start();
      expect(await replayAll(again)).toEqual([]);
      expect(again.stats().setAside).toBe(0);
      await stop(again);
    }
    expect(logged('quarantined')).toBe(5);
  });

  it('sets a damaged file aside although reading it was interrupted behind the damage', async () => {
    const spool = await start();
    await spool.append(some(0, 2000));
    const file = (await spoolFiles())[0] as string;
    await stop(spool);
    const bytes = await readFile(file);
    bytes[100] = (bytes[100] as number) ^ 0x41;
    await writeFile(file, bytes);
    const again = await start();
    let calls = 0;
    expect(await replayAll(again, () => ++calls !== 2)).toHaveLength(1500);
    expect(again.stats().setAside).toBe(1);
  });

  it('reports a bad end of a file that was not the last, and reads on', async () => {
    const files = await leave(60, 5000);
    expect(files.length).toBeGreaterThan(2);
    await truncate(files[0] as string, (await readFile(files[0] as string)).length - 3);
    const spool = await start();
    expect(await replayAll(spool)).toHaveLength(59);
    expect(spool.stats().setAside).toBe(1);
  });

  it('starts with an empty file, a foreign file and a folder without a claim', async () => {
    const [file] = await leave(2);
    await writeFile(join(file as string, '..', '00000099.spool'), '');
    await writeFile(join(file as string, '..', 'notes.txt'), 'not ours');
    await writeFile(join(root, 'README'), 'not ours');
    await writeFile(join(file as string, '..', '00000050.spool'), 'this was never a spool file at all');
    const spool = await start();
    expect(await replayAll(spool)).toHaveLength(2);
    expect(spool.stats().setAside).toBe(1);
  });
});

describe('files of other versions', () => {
  function frame(payload: string): Buffer {
    const bytes = Buffer.from(payload);
    const header = Buffer.alloc(8);
    header.writeUInt32LE(bytes.length, 0);
    header.writeUInt32LE(crc32c(bytes), 4);
    return Buffer.concat([header, bytes]);
  }
  /** A record as it was written before records had a version. */
  const unversioned = (n: number) =>
    frame(`{"n":1,"at":1,"record":${JSON.stringify({ kind: 'events', events: [makeEvent(n)] })}}`);
  const current = (n: number) => encodeRecord({ kind: 'events', events: [makeEvent(n)] });
  const uuids = (events: FinishedEvent[]) => events.map(({ uuid }) => uuid);

  async function leave(records: Buffer[]): Promise<void> {
    const folder = join(root, 'left');
    await mkdir(folder);
    await writeFile(join(folder, '00000001.spool'), Buffer.concat(records));
  }

  it('reads records of before there were versions', async () => {
    await leave([unversioned(0), current(1), unversioned(2)]);
    const spool = await start();
    expect(uuids(await replayAll(spool))).toEqual(uuids(some(0, 3)));
    expect(spool.stats().setAside).toBe(0);
  });

  it('reads the name that version 1 has for the time that orders', async () => {
    const record = { kind: 'events', events: [{ ...makeEvent(0), toldAt: 1.25 }] };
    await leave([frame(JSON.stringify({ n: 1, at: 1, v: 1, record }))]);
    expect(await replayAll(await start())).toEqual([{ ...makeEvent(0), orderedAt: 1.25 }]);
  });

  it.each([
    ['version', '{"n":1,"at":1,"v":3,"record":{"kind":"events","events":"otherwise"}}'],
    ['kind', '{"n":1,"at":1,"v":1,"record":{"kind":"dreams"}}'],
    ['record', '{"n":1,"at":1,"v":3}'],
  ])('stores the neighbours of an unknown %s, keeps it, and says so', async (_what, unknown) => {
    await leave([frame(unknown), current(0), frame(unknown), unversioned(1)]);
    for (let round = 1; round <= 2; round++) {
      const spool = await start();
      expect(uuids(await replayAll(spool))).toEqual(uuids(some(0, 2)));
      expect(spool.stats()).toMatchObject({ setAside: 1, files: 0 });
      expect(spool.stats().lastProblem?.message).toContain('newer version');
      const kept = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.newer'));
      expect(kept).toHaveLength(1);
      expect((await readFile(join(root, kept[0] as string))).includes(unknown)).toBe(true);
      await stop(spool);
    }
  });
});

it('stores what an earlier version kept aside of a newer one, once the newer one is back', async () => {
  const folder = join(root, 'left');
  await mkdir(folder);
  const records = some(0, 3).map((event) => encodeRecord({ kind: 'events', events: [event] }));
  await writeFile(join(folder, '00000001.spool.newer'), Buffer.concat(records));
  const spool = await start();
  expect((await replayAll(spool)).map(({ uuid }) => uuid)).toEqual(some(0, 3).map(({ uuid }) => uuid));
  expect(spool.stats()).toMatchObject({ setAside: 0, files: 0, events: 0 });
  expect((await readdir(root, { recursive: true })).filter((name) => name.includes('.spool'))).toEqual([]);
});

describe('R7: the disk is full', () => {
  it('refuses what does not fit, loses nothing it accepted, and accepts again when there is room', async () => {
    let isFull = false;
    const spool = await start({ fs: faulty('write', () => (isFull ? ioError('ENOSPC') : null)) });
    await spool.append(some(0, 3));
    isFull = true;
    await expect(spool.append(some(3, 6))).rejects.toMatchObject({ code: 'unavailable', retryAfterSec: 5 });
    await expect(spool.append(some(6, 9))).rejects.toMatchObject({ code: 'unavailable' });
    isFull = false;
    await spool.append(some(9, 12));
    expect(spool.stats()).toMatchObject({ events: 6, refused: 6 });
    const stored = await replayAll(spool);
    expect(stored.map(({ properties }) => properties['n'])).toEqual([0, 1, 2, 9, 10, 11]);
  });

  it('stops at its own limit and goes on once there is room', async () => {
    const spool = await start({ limits: { keepFreeBytes: 0, maxBytes: 30_000 } });
    let accepted = 0;
    const refusals: unknown[] = [];
    for (let n = 0; n < 200; n++) {
      await spool.append([makeEvent(n)]).then(
        () => accepted++,
        (error: unknown) => refusals.push(error),
      );
    }
    expect(accepted).toBeGreaterThan(30);
    expect(refusals).toHaveLength(200 - accepted);
    expect(await replayAll(spool)).toHaveLength(accepted);
    await spool.append([makeEvent(500)]);
  });

  it('keeps the reserve of the disk free', async () => {
    const spool = await start({ limits: { keepFreeBytes: Number.MAX_SAFE_INTEGER } });
    await expect(spool.append(some(0, 1))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('R8: a sync fails', () => {
  it('refuses those requests, never syncs that file again, and goes on in a new one', async () => {
    let failing = 2;
    const synced: string[] = [];
    const fs = faulty('datasync', (call) => {
      synced.push(`call ${call}`);
      return call === failing ? ioError('EIO') : null;
    });
    const spool = await start({ fs });
    await spool.append(some(0, 2));
    await expect(spool.append(some(2, 4))).rejects.toMatchObject({ code: 'unavailable' });
    expect(synced).toHaveLength(2);
    await spool.append(some(4, 6));
    expect(await spoolFiles()).toHaveLength(2);
    failing = 4;
    await expect(spool.append(some(6, 8))).rejects.toMatchObject({ code: 'unavailable' });
    expect((await replayAll(spool)).map(({ properties }) => properties['n'])).toEqual([0, 1, 4, 5]);
    expect(spool.stats().lastProblem?.message).toContain('EIO');
  });
});

describe('rescue: an ephemeral disk', () => {
  it('writes a retried event once', async () => {
    const spool = await start({ durable: false });
    await spool.append(some(0, 3));
    await spool.append(some(1, 5));
    expect(spool.stats()).toMatchObject({ durable: false, events: 5 });
    expect(await replayAll(spool)).toHaveLength(5);
    await spool.append(some(0, 1));
    expect(spool.stats().events).toBe(1);
  });

  it('drains while stopping, and says what is left when the time is over', async () => {
    const spool = await start({ durable: false });
    await spool.append(some(0, 3));
    let isReady = false;
    const stored: FinishedEvent[] = [];
    spool.replay({
      store: (events) => {
        if (!isReady) return Promise.reject(unavailable('away'));
        stored.push(...events);
        return Promise.resolve();
      },
      finish: () => Promise.resolve([]),
    });
    setTimeout(() => {
      isReady = true;
    }, 400);
    open.splice(0);
    await spool.close(5000);
    expect(stored).toHaveLength(3);

    const second = await start({ durable: false });
    await second.append(some(0, 2));
    second.replay({ store: () => Promise.reject(unavailable('away')), finish: () => Promise.resolve([]) });
    open.splice(0);
    await second.close(200);
    expect(logged('may not be persistent')).toBe(1);
  });
});
