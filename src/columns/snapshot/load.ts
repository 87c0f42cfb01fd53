/**
 * Columns of chunks, from memory or by COPY, chunk by chunk: what has come is counted while the rest is on its way. What one question
 * is reading, others that want it wait for, column by column; what it only means to read, the first to need it reads.
 */
import type { ClientBase } from 'pg';
import { Cancelled } from '#src/kit/cancelled.ts';
import { busy } from '#src/kit/errors.ts';
import { copyOutInto } from '#src/store/copy-out.ts';
import { takeTurn } from '#src/store/snapshot.ts';
import type { Cache } from '../storage/cache.ts';
import { columnRows, haveChunks } from '../storage/column-sql.ts';
import { CopiedFields } from '../storage/copied-rows.ts';
import { PROPERTY } from '../storage/encode.ts';
import type { ColumnBytes } from '../storage/format.ts';
import { packedColumnOf, unpack } from '../storage/packed.ts';
import { Slabs } from '../storage/slabs.ts';
import type { GatheredChunk } from './gathered-chunk.ts';
import { isSpoiled, type Snapshot } from './snapshots.ts';

export interface LoadParts {
  snapshot: Pick<Snapshot, 'client' | 'second' | 'elsewhere'>;
  cache: Cache;
  /** Once it fires, no more columns are read; those that are under way are kept for others. */
  ending?: AbortSignal | undefined;
}

/** Adds these columns to chunks that are stored. When it rejects, nothing is being read any more. */
export async function loadColumns(
  parts: LoadParts,
  projectId: number,
  chunks: readonly GatheredChunk[],
  names: readonly string[],
): Promise<void> {
  const arrivals = await Promise.allSettled(beginColumns(parts, projectId, chunks, names));
  const failed = arrivals.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Starts to load columns. @returns a promise per chunk; null: already loaded */
export function beginColumns(
  parts: LoadParts,
  projectId: number,
  chunks: readonly GatheredChunk[],
  names: readonly string[],
  turn: Turn = {},
): (Promise<void> | null)[] {
  const wants = chunks.map((chunk) => wantOf(parts.cache, chunk, names));
  new Load(
    parts,
    projectId,
    wants.filter((want) => want !== null),
  ).begin(turn);
  return wants.map((want) => want?.done.promise ?? null);
}

/** When there is something to wait for. */
export interface Turn {
  /** Nothing is read before. */
  after?: Promise<unknown> | undefined;
  /** The snapshot's own connection is needed for something else until then. */
  connectionFree?: Promise<unknown> | undefined;
}

/** Columns that a chunk is to be given. */
interface Want {
  id: number;
  chunk: GatheredChunk;
  /** Columns that are still missing. */
  left: Set<string>;
  /** Missing columns that another query is loading. */
  awaited: Map<string, Promise<void>>;
  done: PromiseWithResolvers<void>;
}

/** Null: the chunk has all that there is. */
function wantOf(cache: Cache, chunk: GatheredChunk, names: readonly string[]): Want | null {
  const { id, columns } = chunk;
  if (id === null || id < 0) return null; // its columns are those of its rows
  const left = new Set(names.filter((name) => columns[name] === undefined));
  const want = { id, chunk, left, awaited: new Map(), done: Promise.withResolvers<void>() };
  want.done.promise.catch(() => undefined); // its waiters get the error
  takeKept(cache, want);
  return left.size === 0 ? null : want;
}

function takeKept(cache: Cache, want: Want): void {
  for (const name of want.left) {
    const kept = cache.get<ColumnBytes | null>(keyOf(want.id, name));
    if (kept !== undefined) give(want, name, kept);
  }
}

/** @param bytes null: there is no such column */
function give(want: Want, name: string, bytes: ColumnBytes | null): void {
  if (!want.left.delete(name)) return;
  if (bytes !== null) want.chunk.columns[name] = bytes;
  if (want.left.size === 0) want.done.resolve();
}

/** So many columns are read at a time, nearly. */
const BATCH_COLUMNS = 60;

interface Column {
  want: Want;
  name: string;
}

/** A column that is being read: others find it in `underWay`. */
interface Claim extends Column {
  read: PromiseWithResolvers<ColumnBytes | null>;
}

/** The loads of one query. Results and errors go to the promises of the wanted columns. */
class Load {
  private readonly parts: LoadParts;
  private readonly projectId: number;
  private readonly wants: readonly Want[];
  /** Pending claims by key. */
  private readonly claims = new Map<string, Claim>();
  private readonly slabs = new Slabs();

  constructor(parts: LoadParts, projectId: number, wants: readonly Want[]) {
    this.parts = parts;
    this.projectId = projectId;
    this.wants = wants;
  }

  begin(turn: Turn): void {
    if (this.wants.length === 0) return;
    for (const want of this.wants) this.awaitOthers(want);
    this.read(turn).catch((error: unknown) => {
      for (const [key, { read }] of this.claims) {
        this.release(key, read);
        read.reject(error);
      }
      for (const { left, done } of this.wants) if (left.size > 0) done.reject(error);
    });
  }

  private async read({ after, connectionFree }: Turn): Promise<void> {
    const { client, second } = this.parts.snapshot;
    await after;
    const wants = this.wants.values();
    const work = async (connection: ClientBase) => {
      while (await this.readSome(connection, wants));
    };
    const isMuch = this.wants.reduce((sum, { left }) => sum + left.size, 0) > BATCH_COLUMNS;
    const beside = async () => {
      const other = isMuch ? await second?.() : null;
      if (other) await work(other);
    };
    const own = async () => {
      await connectionFree;
      await work(client);
    };
    await this.orElsewhere(async () => {
      const failed = (await Promise.allSettled([beside(), own()])).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    });
    for (;;) {
      await Promise.allSettled(this.wants.flatMap(({ awaited }) => [...awaited.values()]));
      const lost = this.wants.flatMap((want) => [...want.left].map((name) => ({ want, name })));
      if (lost.length === 0) return;
      if (this.parts.ending?.aborted) throw new Cancelled();
      // Columns that other queries failed to load.
      await this.orElsewhere(() => takeTurn(client, (own) => this.copy(own, lost)));
    }
  }

  /** Chunks never change: what someone else spoiled is read at another snapshot, at which they are still there. */
  private async orElsewhere(work: () => Promise<void>): Promise<void> {
    const { elsewhere } = this.parts.snapshot;
    try {
      await work();
    } catch (error) {
      if (this.parts.ending?.aborted) throw new Cancelled();
      if (!isSpoiled(error) || elsewhere === undefined) throw error;
      await elsewhere(async (client) => {
        const ids = this.wants.filter(({ left }) => left.size > 0).map(({ id }) => id);
        if (!(await haveChunks(client, this.projectId, ids))) throw busy(GONE, 1);
        for (const wants = this.wants.values(); await this.readSome(client, wants); );
      });
    }
  }

  /** Takes what is kept now, and waits for what others are reading. */
  private awaitOthers(want: Want): void {
    const { cache } = this.parts;
    takeKept(cache, want);
    for (const name of want.left) {
      const key = keyOf(want.id, name);
      const other = cache.underWay.get(key) as Promise<ColumnBytes | null> | undefined;
      if (other === undefined || this.claims.has(key) || want.awaited.has(name)) continue;
      const lost = () => {
        want.awaited.delete(name);
      };
      want.awaited.set(name, other.then((bytes) => give(want, name, bytes)).then(lost, lost));
    }
  }

  /** Loads the next wanted and unclaimed columns in the connection's turn. @returns false: none left */
  private readSome(connection: ClientBase, wants: Iterator<Want>): Promise<boolean> {
    return takeTurn(connection, async (client) => {
      const asked: Column[] = [];
      while (asked.length < BATCH_COLUMNS) {
        const { value: want, done } = wants.next();
        if (done) break;
        this.awaitOthers(want);
        for (const name of want.left) if (!want.awaited.has(name)) asked.push({ want, name });
      }
      if (asked.length === 0) return false;
      if (this.parts.ending?.aborted) throw new Cancelled();
      await this.copy(client, asked);
      return true;
    });
  }

  private async copy(client: ClientBase, asked: readonly Column[]): Promise<void> {
    for (const { want, name } of asked) this.claim(want, name);
    const wanted = asked.map(({ want, name }) => ({ id: want.id, name, packed: placeInPacked(want.chunk, name) }));
    let under: { key: string; name: string; bytes: ColumnBytes | null; isPacked: boolean } | null = null;
    const end = () => {
      if (under !== null) this.keep(under.key, under.isPacked ? this.unpacked(under) : under.bytes);
    };
    await copyOutInto(client, columnRows(this.projectId, wanted), 3, (fields, length) => {
      // The row before is whole.
      end();
      const row = new CopiedFields(fields);
      const id = row.number();
      const name = row.text() as string;
      const isPacked = row.number() === 1;
      const bytes = length < 0 ? null : isPacked ? new Uint8Array(length) : this.slabs.take(name, length);
      under = { key: keyOf(id, name), name, bytes, isPacked };
      return bytes ?? NOTHING;
    });
    end();
    // A name that PostgreSQL cannot hold comes back as another: no chunk has such a column.
    for (const { want, name } of asked) this.keep(keyOf(want.id, name), null);
  }

  /** The column of a property out of those that it is packed with. */
  private unpacked({ key, name, bytes }: { key: string; name: string; bytes: ColumnBytes | null }): ColumnBytes | null {
    const chunk = this.claims.get(key)?.want.chunk;
    const column =
      bytes === null || chunk === undefined ? null : unpack(bytes, name.slice(PROPERTY.length), chunk.rows);
    if (column === null) return null;
    const shared = this.slabs.take(name, column.length);
    shared.set(column);
    return shared;
  }

  private claim(want: Want, name: string): void {
    const key = keyOf(want.id, name);
    if (this.claims.has(key)) return; // it is read once more
    const read = Promise.withResolvers<ColumnBytes | null>();
    read.promise.catch(() => undefined); // its waiters get the error
    this.claims.set(key, { want, name, read });
    this.parts.cache.underWay.set(key, read.promise);
  }

  private release(key: string, { promise }: Claim['read']): void {
    const { underWay } = this.parts.cache;
    if (underWay.get(key) === promise) underWay.delete(key);
  }

  private keep(key: string, bytes: ColumnBytes | null): void {
    const claim = this.claims.get(key);
    if (claim === undefined) return;
    this.claims.delete(key);
    this.parts.cache.set(key, bytes, bytes?.length ?? 0);
    this.release(key, claim.read);
    claim.read.resolve(bytes);
    give(claim.want, claim.name, bytes);
  }
}

/** The packed column in which a chunk may have a property; empty: in none. */
function placeInPacked({ packed }: GatheredChunk, column: string): string {
  if (!packed || !column.startsWith(PROPERTY)) return '';
  const name = column.slice(PROPERTY.length);
  return packed.names === null || packed.names.includes(name) ? packedColumnOf(name, packed.bits) : '';
}

const GONE = 'Data was reloaded during the query. Try again.';

const NOTHING = new Uint8Array(0);

/** Chunk numbers are unique across projects. */
function keyOf(id: number, column: string): string {
  return `${id} ${column}`;
}
