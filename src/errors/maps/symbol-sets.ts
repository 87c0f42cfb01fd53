/** Uploads of PostHog's command line: releases, and source maps by chunk id. Files come to signed addresses of our own. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import { containerOf, mapIn } from './container.ts';
import type { BuildRelease, NewBuildRelease, SymbolSetAsked, SymbolSetOptions } from './contract.ts';
import { readMap } from './queries.ts';
import type { SourceMaps } from './source-maps.ts';
import * as queries from './symbol-queries.ts';
import { MAX_BUILD_RELEASES, MAX_SYMBOL_SETS } from './values.ts';

export interface SymbolSets {
  releaseByHash(projectId: number, hash: string): Promise<BuildRelease | null>;
  /** The one that is there, or a new one. */
  createRelease(projectId: number, release: NewBuildRelease): Promise<BuildRelease>;
  /** Chunks whose files are wanted. @throws AppError `conflict` with `field` release_id or content_hash */
  wanted(projectId: number, sets: readonly SymbolSetAsked[], options: SymbolSetOptions): Promise<string[]>;
  /** Enters those that are wanted. @returns id and ticket by chunk @throws AppError as `wanted` */
  start(
    projectId: number,
    sets: readonly SymbolSetAsked[],
    options: SymbolSetOptions,
  ): Promise<{ chunk: string; id: string; ticket: string }[]>;
  /** @param ticket of `start` @throws AppError `not_found` for one that is wrong or expired, `invalid` */
  upload(ticket: string, container: Buffer): Promise<void>;
  /** @param hashes by id of the set */
  finish(projectId: number, hashes: Readonly<Record<string, string>>): Promise<void>;
  find(projectId: number, chunk: string): Promise<string | null>;
  /** A ticket to download a set. @throws AppError `not_found` */
  ticketOf(projectId: number, id: string): Promise<string>;
  /** @throws AppError `not_found` */
  download(ticket: string): Promise<Buffer>;
}

/** Addresses of files are valid for so long. */
const TICKET_MS = 600_000;

const decompress = promisify(gunzip);

export function createSymbolSets(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { maps, secrets }: { maps: Pick<SourceMaps, 'upload'>; secrets: Pick<Secrets, 'keys'> },
): SymbolSets {
  async function sign(action: 'up' | 'down', projectId: number, id: string): Promise<string> {
    const text = [action, projectId, id, clock.now() + TICKET_MS].join('.');
    const [key] = await secrets.keys('symbol sets');
    return `${text}.${macOf(key as Buffer, text)}`;
  }

  /** @throws AppError `not_found` */
  async function readTicket(action: 'up' | 'down', ticket: string): Promise<{ projectId: number; id: string }> {
    const [, given, projectId, id, until] =
      /^(up|down)\.(\d{1,10})\.([\da-f-]{36})\.(\d{1,16})\.[\w-]{43}$/.exec(ticket) ?? [];
    const text = ticket.slice(0, ticket.lastIndexOf('.'));
    const mac = Buffer.from(ticket.slice(text.length + 1));
    const isSigned = (await secrets.keys('symbol sets')).some((key) => {
      const own = Buffer.from(macOf(key, text));
      return own.length === mac.length && timingSafeEqual(own, mac);
    });
    if (!isSigned || given !== action || id === undefined || Number(until) < clock.now()) {
      throw notFound('upload');
    }
    return { projectId: Number(projectId), id };
  }

  async function choose(
    projectId: number,
    sets: readonly SymbolSetAsked[],
    { force, skipOnConflict }: SymbolSetOptions,
  ): Promise<SymbolSetAsked[]> {
    const known = new Map(
      (
        await queries.findSets(
          db,
          projectId,
          sets.map(({ chunkId }) => chunkId),
        )
      ).map((row) => [row.chunkId, row]),
    );
    return sets.filter((set) => {
      const row = known.get(set.chunkId);
      if (row === undefined || row.storedHash === null || force) return true;
      if (row.release !== null && set.releaseId !== null && row.release !== set.releaseId) {
        if (skipOnConflict) return false;
        throw conflict('release_id', `The chunk ${set.chunkId} belongs to another release.`);
      }
      if (row.storedHash === set.contentHash) return false;
      if (skipOnConflict) return false;
      throw conflict('content_hash', `The chunk ${set.chunkId} was uploaded with another content.`);
    });
  }

  return {
    releaseByHash: (projectId, hash) => queries.releaseByHash(db, projectId, hash),
    async createRelease(projectId, release) {
      const row = { ...release, id: uuidV7(clock.now()), now: clock.now() };
      await queries.insertRelease(db, projectId, row, MAX_BUILD_RELEASES);
      const made = await queries.releaseByHash(db, projectId, release.hashId);
      if (made === null) throw new AppError('conflict', `A project keeps ${MAX_BUILD_RELEASES} releases.`);
      return made;
    },
    async wanted(projectId, sets, options) {
      return (await choose(projectId, sets, options)).map(({ chunkId }) => chunkId);
    },
    async start(projectId, sets, options) {
      const chosen = await choose(projectId, sets, options);
      const releases = new Set(chosen.flatMap(({ releaseId }) => releaseId ?? []));
      if ((await queries.countReleases(db, projectId, [...releases])) !== releases.size) {
        throw invalid('release_id', 'This release does not exist.');
      }
      const rows = chosen.map((set) => ({ ...set, id: uuidV7(clock.now()) }));
      const entered = await queries.enterSets(db, projectId, rows, { now: clock.now(), limit: MAX_SYMBOL_SETS });
      return Promise.all(
        entered.map(async ({ chunkId, id }) => ({ chunk: chunkId, id, ticket: await sign('up', projectId, id) })),
      );
    },
    async upload(ticket, container) {
      const { projectId, id } = await readTicket('up', ticket);
      const set = await queries.setById(db, projectId, id);
      if (set === null) throw notFound('symbol set');
      const map = await mapIn(container);
      if (map !== null) {
        const release = set.version === null ? {} : { release: set.version };
        await maps.upload(projectId, { file: set.chunkId, debugId: set.chunkId, ...release }, map);
      }
      await queries.markStored(db, projectId, id, set.contentHash ?? '');
    },
    async finish(projectId, hashes) {
      await queries.setHashes(db, projectId, hashes);
    },
    async find(projectId, chunk) {
      const [row] = await queries.findSets(db, projectId, [chunk]);
      return row?.id ?? null;
    },
    async ticketOf(projectId, id) {
      const set = await queries.setById(db, projectId, id);
      if (set === null || set.storedHash === null) throw notFound('symbol set');
      return sign('down', projectId, id);
    },
    async download(ticket) {
      const { projectId, id } = await readTicket('down', ticket);
      const set = await queries.setById(db, projectId, id);
      const map = set && (await readMap(db, projectId, `id ${set.chunkId.toLowerCase()}`));
      if (!map) throw notFound('symbol set');
      return containerOf(await decompress(map));
    },
  };
}

function macOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function conflict(field: string, message: string): AppError {
  return new AppError('conflict', message, { field });
}
