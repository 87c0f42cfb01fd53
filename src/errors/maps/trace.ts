/** Reads source maps. Nothing is fetched and no file is opened: a map is its text alone. Run in a thread, since maps come from outside. */
import { AnyMap, originalPositionFor, sourceContentFor, TraceMap } from '@jridgewell/trace-mapping';

export interface MapFacts {
  /** Debug id in the map; null: none. */
  debugId: string | null;
  sources: number;
  /** False: the map resolves nothing. */
  hasMappings: boolean;
  /** Sources whose text is in the map. */
  withText: number;
}

export interface Position {
  /** Counted from 1. */
  line: number;
  column: number;
}

export interface TracedPosition {
  file: string;
  line: number;
  /** Counted from 1. */
  column: number;
  /** Name of what stands there; null: the map has none. */
  name: string | null;
  source: { before: string[]; line: string; after: string[] } | null;
}

const SOURCE_LINES = 7;
const MAX_LINE = 500;
const MAX_FILE = 500;

/** @throws for what is no source map */
export function openMap(text: string): TraceMap {
  // Servers put this before JSON so that it is no script.
  const parsed: unknown = JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, ''));
  if (typeof parsed !== 'object' || parsed === null || (parsed as { version?: unknown }).version !== 3) {
    throw new Error('not a source map of version 3');
  }
  return 'sections' in parsed ? (new AnyMap(parsed as never) as TraceMap) : new TraceMap(parsed as never);
}

export function inspectMap(text: string): MapFacts {
  const map = openMap(text);
  const { debugId, debug_id, chunkId, chunk_id } = JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')) as Record<
    string,
    unknown
  >;
  const id = [debugId, debug_id, chunkId, chunk_id].find((each) => typeof each === 'string');
  return {
    debugId: typeof id === 'string' && /^[\w-]{8,64}$/.test(id) ? id.toLowerCase() : null,
    sources: map.sources.length,
    hasMappings: map.sources.length > 0 && hasMapping(map),
    withText: (map.sourcesContent ?? []).filter((each) => each !== null && each !== '').length,
  };
}

function hasMapping(map: TraceMap): boolean {
  return /[A-Za-z0-9+/]{4}/.test(String((map as unknown as { _encoded?: string })._encoded ?? '')) || decodedSome(map);
}

function decodedSome(map: TraceMap): boolean {
  const decoded = (map as unknown as { _decoded?: unknown[][][] })._decoded;
  return decoded?.some((line) => line.some((segment) => segment.length >= 4)) ?? false;
}

/** Null: the map says nothing of that place. */
export function tracePositions(map: TraceMap, positions: readonly Position[]): (TracedPosition | null)[] {
  const linesOf = new Map<string, string[] | null>();
  return positions.map(({ line, column }) => {
    if (line < 1) return null;
    // Columns of stacks are counted from 1, those of maps from 0.
    const found = originalPositionFor(map, { line, column: Math.max(0, column - 1) });
    if (found.source === null || found.line === null) return null;
    const { source, line: sourceLine } = found;
    if (!linesOf.has(source)) linesOf.set(source, sourceContentFor(map, source)?.split('\n') ?? null);
    return {
      file: cleanFile(source),
      line: sourceLine,
      column: found.column + 1,
      name: found.name?.slice(0, MAX_FILE) ?? null,
      source: around(linesOf.get(source) ?? null, sourceLine),
    };
  });
}

function around(lines: readonly string[] | null, line: number): TracedPosition['source'] {
  const text = lines?.[line - 1];
  if (lines === null || text === undefined) return null;
  const cut = (each: string) => each.slice(0, MAX_LINE);
  return {
    before: lines.slice(Math.max(0, line - 1 - SOURCE_LINES), line - 1).map(cut),
    line: cut(text),
    after: lines.slice(line, line + SOURCE_LINES).map(cut),
  };
}

/** `webpack://shop/./src/cart.ts?1a2b` and `../../src/cart.ts` are `src/cart.ts`. */
export function cleanFile(source: string): string {
  return source
    .slice(0, MAX_FILE)
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\/?/i, '')
    .replace(/[?#].*$/, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
}
