/** What the thread does: reads maps, and keeps those that were used last. */
import { gunzipSync } from 'node:zlib';
import type { TraceMap } from '@jridgewell/trace-mapping';
import { MAX_MAP_BYTES } from '../values.ts';
import { inspectMap, type MapFacts, openMap, type Position, type TracedPosition, tracePositions } from './trace.ts';

export type MapTask =
  | { kind: 'inspect'; map: Uint8Array }
  /** `map`: compressed; absent: the one that is known by the key. */
  | { kind: 'trace'; key: string; map?: Uint8Array; positions: Position[] };

export type MapResult = MapFacts | { traced: (TracedPosition | null)[] } | { missing: true };

/** Text of the maps that are kept open. */
const KEPT_BYTES = 64 * 1024 * 1024;

export function createTracer() {
  /** The last used is last. */
  const open = new Map<string, { map: TraceMap; bytes: number }>();

  function keep(key: string, map: TraceMap, bytes: number): void {
    open.set(key, { map, bytes });
    let kept = [...open.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [oldest, each] of open) {
      if (kept <= KEPT_BYTES || oldest === key) break;
      open.delete(oldest);
      kept -= each.bytes;
    }
  }

  return {
    /** @throws for what is no source map */
    perform(task: MapTask): MapResult {
      if (task.kind === 'inspect') return inspectMap(Buffer.from(task.map).toString());
      const known = open.get(task.key);
      if (known !== undefined && task.map === undefined) {
        open.delete(task.key);
        open.set(task.key, known);
        return { traced: tracePositions(known.map, task.positions) };
      }
      if (task.map === undefined) return { missing: true };
      const text = gunzipSync(task.map, { maxOutputLength: MAX_MAP_BYTES }).toString();
      const map = openMap(text);
      keep(task.key, map, text.length);
      return { traced: tracePositions(map, task.positions) };
    },
  };
}
