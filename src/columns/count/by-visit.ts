/** Counts events by a value of their visit: finds the visit chunks that an event chunk needs, and the result's dependencies. */
import { bytesOfViewers, type Viewers } from '../kernels/viewers.ts';
import type { VisitMeaning, VisitPiece } from '../kernels/visit-values.ts';
import { type Gathered, touches } from '../snapshot/gather.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import { SESSION_BLOCK } from '../storage/chunk-sql.ts';
import { openColumn } from '../storage/format.ts';
import type { CountParts } from './count-parts.ts';
import { type Counted, countOnce, countTallies } from './counting.ts';
import { cut, type Edges } from './edges.ts';
import { type KeyOfChunk, keyOfEvents } from './result-keys.ts';
import { blockOfVisits, blocksOfEvents, type NameOfBlock, nameOf } from './visit-names.ts';

/** The visit column by which events are counted. */
export interface ByVisit {
  column: string;
  /** Meaning of the numbers in the column. */
  meaning: Int32Array;
  /** Value of events without a visit. */
  none: number;
  pieces: readonly { piece: VisitPiece; blocks: ReadonlySet<number> }[];
  name: NameOfBlock;
}

/** Waits until all columns are there. */
export async function byVisit(
  { sessions }: Gathered,
  { column, meaning, none }: Pick<ByVisit, 'column' | 'meaning' | 'none'>,
): Promise<ByVisit> {
  await Promise.all(sessions.map(({ arrival }) => arrival));
  const pieces: { piece: VisitPiece; blocks: ReadonlySet<number> }[] = [];
  const names = new Map<number, string | null>();
  for (const { id, columns, except } of sessions) {
    const ids = columns['id'];
    if (ids === undefined) continue;
    const isStored = id !== null && id > 0;
    const blocks = isStored ? new Set([blockOfVisits(ids)]) : blocksOfVisits(ids);
    for (const block of blocks) {
      const known = names.get(block);
      // Unsealed chunks exist only for this query.
      const isLasting = isStored && except.length === 0 && known !== null;
      names.set(block, isLasting ? `${known ?? ''}+${id}` : null);
    }
    pieces.push({ piece: { ids, values: columns[column], except }, blocks });
  }
  const name: NameOfBlock = (block) => {
    const known = names.get(block);
    return known === undefined ? '' : known;
  };
  return { column, meaning, none, pieces, name };
}

function blocksOfVisits(ids: VisitPiece['ids']): Set<number> {
  const { codes, base, rows } = openColumn(ids);
  const blocks = new Set<number>();
  for (let row = 0; row < rows; row++) blocks.add(Math.floor(((codes[row] as number) + base) / SESSION_BLOCK));
  return blocks;
}

/**
 * Events of the span by a value of their visits, with persons. The pairs of person and visit are computed once for all
 * visit columns.
 * @param serial of the numbering of the values
 */
export async function countByVisit(
  parts: CountParts,
  visits: ByVisit,
  serial: number,
  edges: Edges,
): Promise<Counted[]> {
  const { gathered, conditions, names, botMark, internalMark, include, sets, threads } = parts;
  const span = { from: edges[0] as number, until: edges.at(-1) as number };
  const jobs = gathered.events
    .filter(({ minTs, maxTs }) => touches(span, minTs, maxTs))
    .map((chunk) => ({ chunk, ...cut(edges, chunk.minTs, chunk.maxTs) }))
    .filter((job) => job.edges.length > 0);
  const plan = { names, botMark, internalMark, include, where: conditions?.where ?? null };
  const listed = await countOnce<Viewers>(parts, jobs, keyOfEvents(parts, ['w', names]), bytesOfViewers, (some) =>
    threads.run({
      task: 'listViewers',
      plan,
      chunks: some.map((job) => ({ columns: job.chunk.columns, edges: job.edges })),
      sets,
    }),
  );
  const viewersOf = new Map(jobs.map(({ chunk }, at) => [chunk, listed[at] as Viewers]));
  const key = keyByVisit(keyOfEvents(parts, ['v', names, visits.column, serial]), visits);
  const tallies = await countTallies(parts, jobs, key, (some) =>
    threads.run({
      task: 'countViewers',
      viewers: some.map(({ chunk }) => viewersOf.get(chunk as GatheredChunk) as Viewers),
      visits: meaningFor(visits, some),
    }),
  );
  return tallies.map((tally) => ({ tally, shift: 0 }));
}

/** Visit data that a thread needs to count these event chunks. */
function meaningFor(
  { none, pieces, meaning }: ByVisit,
  jobs: readonly { chunk: Pick<GatheredChunk, 'columns'> }[],
): VisitMeaning {
  const wanted = new Set(jobs.flatMap(({ chunk }) => blocksOfEvents(chunk.columns['session'])));
  const own = pieces.filter(({ blocks }) => [...blocks].some((block) => wanted.has(block)));
  return { pieces: own.map(({ piece }) => piece), meaning, none };
}

/** The key of a partial result that depends on the visits of its chunk as well. */
function keyByVisit(key: string | null | KeyOfChunk, { name }: ByVisit): KeyOfChunk {
  return (chunk) => {
    const own = typeof key === 'function' ? key(chunk) : key;
    const ofVisits = own === null ? null : nameOf(blocksOfEvents(chunk.columns['session']), [name]);
    return ofVisits === null ? null : `${own} ${ofVisits}`;
  };
}
