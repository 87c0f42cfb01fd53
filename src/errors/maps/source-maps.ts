/** Source maps of a project: kept by debug id, or by file and release; frames of built code are read with them. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { AppError, invalid } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Exception, Frame, SourceMapInput, UploadedMap } from '../contract.ts';
import { MAX_MAP_BYTES } from '../values.ts';
import * as queries from './queries.ts';
import { createMapReader, type MapReader } from './reader.ts';
import { insertRelease } from './symbol-queries.ts';
import { cleanFile, type MapFacts, type TracedPosition } from './trace.ts';
import { MAX_BUILD_RELEASES } from './values.ts';

export interface SourceMaps {
  /** @throws AppError `invalid` for what is no source map or resolves nothing, `too_large` */
  upload(projectId: number, input: SourceMapInput, map: Buffer): Promise<UploadedMap>;
  /** The exceptions with frames as the source code has them, where a map is known. Never fails. */
  resolve(projectId: number, exceptions: Exception[], release: string | null): Promise<Exception[]>;
}

const MAX_MAPS = 2_000;
const MAX_COMPRESSED_BYTES = 512 * 1024 * 1024;
/** Keys of a project are known for so long. */
const KEYS_MS = 5_000;
/** A map that could not be read is left alone for so long. */
const BROKEN_MS = 600_000;
const MAX_SUFFIXES = 8;
/** Names of minified code have so few letters. */
const MAX_MINIFIED_NAME = 2;

/** When each map was uploaded. */
type Keys = ReadonlyMap<string, number>;

const compress = promisify(gzip);

export function createSourceMaps(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  reader: MapReader = createMapReader(),
): SourceMaps {
  const keysOf = new Map<number, { keys: Keys; at: number }>();
  const broken = new Map<string, number>();

  async function knownKeys(projectId: number): Promise<Keys> {
    const known = keysOf.get(projectId);
    if (known !== undefined && clock.elapsed() - known.at < KEYS_MS) return known.keys;
    const keys = await queries.mapKeys(db, projectId);
    keysOf.set(projectId, { keys, at: clock.elapsed() });
    return keys;
  }

  /** The first commit of a release stays. */
  async function noteCommit(projectId: number, version: string, commit: string): Promise<void> {
    const now = clock.now();
    const release = { id: uuidV7(now), hashId: `luneta:${version}`, version, name: '' };
    const metadata = { git: { commit_id: commit } };
    await insertRelease(db, projectId, { ...release, metadata, now }, MAX_BUILD_RELEASES);
  }

  async function trace(
    projectId: number,
    key: string,
    uploadedAt: number,
    frames: readonly Frame[],
  ): Promise<(TracedPosition | null)[] | null> {
    const own = `${projectId} ${uploadedAt} ${key}`;
    if ((broken.get(own) ?? Number.NEGATIVE_INFINITY) > clock.elapsed() - BROKEN_MS) return null;
    const positions = frames.map(({ line, column }) => ({ line: line ?? 0, column: column ?? 1 }));
    try {
      let answer = await reader.run({ kind: 'trace', key: own, positions });
      if ('missing' in answer) {
        const map = await queries.readMap(db, projectId, key);
        if (map === null) return null;
        answer = await reader.run({ kind: 'trace', key: own, map, positions });
      }
      return 'traced' in answer ? answer.traced : null;
    } catch (error) {
      if (error instanceof AppError) throw error;
      broken.set(own, clock.elapsed());
      log.warn({ reason: (error as Error).message, project: projectId, key }, 'source map not read');
      return null;
    }
  }

  async function resolveOne(
    projectId: number,
    exception: Exception,
    keys: Keys,
    release: string | null,
  ): Promise<Exception> {
    const byKey = new Map<string, Frame[]>();
    for (const frame of exception.frames) {
      const key = keysOfFrame(frame, release).find((each) => keys.has(each));
      if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), frame]);
    }
    const traced = new Map<Frame, TracedPosition>();
    for (const [key, frames] of byKey) {
      const found = await trace(projectId, key, keys.get(key) ?? 0, frames);
      frames.forEach((frame, at) => {
        const position = found?.[at];
        if (position) traced.set(frame, position);
      });
    }
    if (traced.size === 0) return exception;
    const positions = exception.frames.map((frame) => traced.get(frame) ?? null);
    return { ...exception, frames: readFrames(exception.frames, positions) };
  }

  return {
    async upload(projectId, { file, release = null, debugId, commit }, map) {
      if (map.length > MAX_MAP_BYTES) throw new AppError('too_large', 'A source map may have 32 MB.');
      const facts = await inspect(reader, map);
      if (!facts.hasMappings) throw invalid('map', 'This source map resolves nothing: it has no sources or mappings.');
      const id = debugId?.toLowerCase() ?? facts.debugId;
      const path = pathOf(file);
      const key = id === null ? fileKey(path, release) : idKey(id);
      const compressed = await compress(map);
      const kept = { key, file: path, release, map: compressed, bytes: map.length, sources: facts.sources };
      await queries.keepMap(db, projectId, { ...kept, now: clock.now() });
      if (commit !== undefined && release !== null) await noteCommit(projectId, release, commit);
      await queries.deleteOldMaps(db, projectId, { maps: MAX_MAPS, bytes: MAX_COMPRESSED_BYTES });
      keysOf.delete(projectId);
      return { file: path, release, debugId: id, bytes: map.length, sources: facts.sources, withText: facts.withText };
    },
    async resolve(projectId, exceptions, release) {
      const keys = await knownKeys(projectId);
      if (keys.size === 0) return exceptions;
      return Promise.all(exceptions.map((exception) => resolveOne(projectId, exception, keys, release)));
    },
  };
}

async function inspect(reader: MapReader, map: Buffer): Promise<MapFacts> {
  try {
    return (await reader.run({ kind: 'inspect', map })) as MapFacts;
  } catch {
    throw invalid('map', 'This is not a source map, or it takes too long to read.');
  }
}

function idKey(id: string): string {
  return `id ${id}`;
}

function fileKey(path: string, release: string | null): string {
  return `file ${path} ${release ?? ''}`;
}

function pathOf(file: string): string {
  return cleanFile(file).replace(/\.map$/, '');
}

/** What a frame's map may be kept as, the surest first: files are uploaded by a path within the address of the script. */
function keysOfFrame({ chunk, file }: Frame, release: string | null): string[] {
  const steps = pathOf(file).split('/');
  const paths = steps.slice(0, MAX_SUFFIXES).map((_, at) => steps.slice(at).join('/'));
  return [
    ...(chunk === null ? [] : [idKey(chunk.toLowerCase())]),
    ...(release === null ? [] : paths.map((path) => fileKey(path, release))),
    ...paths.map((path) => fileKey(path, null)),
  ];
}

/** Frames as the source code has them. @param traced null: not known, the frame stays */
export function readFrames(frames: readonly Frame[], traced: readonly (TracedPosition | null)[]): Frame[] {
  return frames.map((frame, at) => {
    const position = traced[at];
    // What stands where the function was called is its name, unless it was renamed on the way.
    return position ? readFrame(frame, position, traced[at - 1]?.name ?? null) : frame;
  });
}

function readFrame(frame: Frame, position: TracedPosition, called: string | null): Frame {
  const { file, function: name, line, column, inApp } = frame;
  const own = name.replace(/^.*\./, '');
  return {
    ...frame,
    file: position.file,
    function: called ?? (own.length > MAX_MINIFIED_NAME ? name : ''),
    line: position.line,
    column: position.column,
    inApp: inApp && !/(?:^|\/)node_modules\//.test(position.file),
    source: position.source,
    built: { file, function: name, line, column, inApp },
  };
}
