/** Reads recordings: what a session consists of, and its events as NDJSON. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ReplayBlock, ReplaySession, ReplayWindow } from './contract.ts';
import * as queries from './queries.ts';
import { MAX_BLOCKS_READ } from './values.ts';

export interface Reading {
  /** A recorded session with the list of its blocks. @throws AppError `not_found` */
  readSession(projectId: ProjectId, session: string): Promise<ReplaySession>;
  /**
   * Events of the blocks from `fromSeq` to `toSeq`, both included, as NDJSON: `{"window":"…","event":{"type":2,"data":…,"timestamp":…}}` a line, block by
   * block. Ends without an error when the session is deleted meanwhile.
   *
   * @throws AppError `not_found`
   */
  readBlocks(projectId: ProjectId, session: string, fromSeq: number, toSeq: number): AsyncIterable<Buffer>;
}

/** Blocks in memory at a time: of a session that is being recorded they are small. */
const BLOCKS_AT_ONCE = 8;

const decompress = promisify<Buffer, Buffer>(zlib.zstdDecompress);

export function createReading({ db }: Pick<Deps, 'db'>, { blobs }: { blobs: Pick<Blobs, 'read'> }): Reading {
  async function sessionOf(projectId: ProjectId, session: string): Promise<queries.SessionRow> {
    const row = await queries.sessionOf(db, projectId, session);
    if (row === null) throw notFound('recording');
    return row;
  }

  async function bodyOf(projectId: number, { body, blob }: queries.BodyRow): Promise<Buffer> {
    if (body !== null) return body;
    const pieces: Buffer[] = [];
    for await (const piece of (await blobs.read(projectId, blob ?? 0)).pieces) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  return {
    async readSession(projectId, session) {
      const { week, skewMs: _, ...row } = await sessionOf(projectId, session);
      const blocks = await queries.blocksOf(db, projectId, { session, week }, MAX_BLOCKS_READ);
      return { ...row, windows: windowsOf(blocks), blocks };
    },
    async *readBlocks(projectId, session, fromSeq, toSeq) {
      const row = await sessionOf(projectId, session);
      for (let next = fromSeq; next <= toSeq; ) {
        const range = { fromSeq: next, toSeq, limit: BLOCKS_AT_ONCE };
        const bodies = await queries.bodiesOf(db, projectId, row, range);
        for (const block of bodies) {
          const lines = (await decompress(await bodyOf(projectId, block))).toString('utf8');
          yield Buffer.from(linesOf(lines, block.window, row.skewMs));
          next = block.seq + 1;
        }
        if (bodies.length < BLOCKS_AT_ONCE) return;
      }
    },
  };
}

/** Events of a block with their window, at times of the server's clock. */
function linesOf(text: string, window: string, skewMs: number): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const before = `{"window":${JSON.stringify(window)},"event":`;
  return lines.map((line) => `${before}${skewMs === 0 ? line : corrected(line, skewMs)}}\n`).join('');
}

function corrected(line: string, skewMs: number): string {
  const event = JSON.parse(line) as { timestamp: number };
  event.timestamp += skewMs;
  return JSON.stringify(event);
}

function windowsOf(blocks: readonly ReplayBlock[]): ReplayWindow[] {
  const windows = new Map<string, ReplayWindow>();
  for (const { window: id, fromAt, toAt } of blocks) {
    const known = windows.get(id);
    windows.set(id, {
      id,
      firstAt: Math.min(known?.firstAt ?? fromAt, fromAt),
      lastAt: Math.max(known?.lastAt ?? toAt, toAt),
    });
  }
  return [...windows.values()].sort((one, other) => one.firstAt - other.firstAt);
}
