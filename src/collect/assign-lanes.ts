/**
 * Assigns events to writer lanes. All events of a device, or of an id without one, use the same lane. Within a request, so do ids that it
 * merges, and all its events when it removes a property: those results depend on chronological order, which holds only
 * within a transaction.
 */
import { effectiveTime, type FinishedEvent } from '#src/events/contract.ts';

/** The way of each event of a request; null when all go that of the first. */
export function assignLanes(events: readonly FinishedEvent[], lanes: number): number[] | null {
  if (events.length < 2 || lanes < 2 || events.some(removes)) return null;
  const ways = events.some(merges) ? waysOfMerged(events, lanes) : events.map((event) => laneOf(event, lanes));
  return ways.every((way) => way === ways[0]) ? null : ways;
}

const removes = ({ person }: FinishedEvent) => person.unset.length > 0;
const merges = ({ person }: FinishedEvent) => person.merge !== null;

/** True when the result of a request depends on the chronological order of events of several ids. */
export function dependsOnOrder(events: readonly FinishedEvent[]): boolean {
  return events.some((event) => removes(event) || merges(event));
}

/** The places of events as a transaction reads them: by time, and as they stand at the same time. */
export function orderByTime(events: readonly FinishedEvent[]): number[] {
  const timeAt = (place: number) => effectiveTime(events[place] as FinishedEvent);
  return [...events.keys()].sort((one, other) => timeAt(one) - timeAt(other) || one - other);
}

/** The places of the earlier half of events, and of the later: in two transactions they are read in the same order as in one. */
export function splitInHalves(events: readonly FinishedEvent[]): [number[], number[]] {
  const places = orderByTime(events);
  const half = events.length >> 1;
  return [places.slice(0, half), places.slice(half)];
}

/** The device id stays the same when its visitor signs in. Clients omit it while it equals the distinct id. */
export function laneOf(event: FinishedEvent | undefined, lanes: number): number {
  const key = event === undefined ? '' : keyOf(event);
  let hash = event?.projectId ?? 0;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  // The low bits alone would tell apart little of ids that are numbered.
  return ((hash ^ (hash >>> 15)) >>> 0) % lanes;
}

/** Ids that are merged, and devices that they were used on, are one: they go the way of the first of their events. */
function waysOfMerged(events: readonly FinishedEvent[], lanes: number): number[] {
  const nexts = new Map<string, string>();
  const sizes = new Map<string, number>();
  const headOf = (key: string): string => {
    let head = key;
    for (let next = nexts.get(head); next !== undefined; next = nexts.get(head)) head = next;
    // Path compression: the next look-up is direct.
    for (let at = key; at !== head; ) {
      const next = nexts.get(at) as string;
      nexts.set(at, head);
      at = next;
    }
    return head;
  };
  const sizeOf = (head: string) => sizes.get(head) ?? 1;
  const unite = (one: string, other: string) => {
    const [head, tail] = [headOf(one), headOf(other)].sort((a, b) => sizeOf(b) - sizeOf(a)) as [string, string];
    if (head === tail) return;
    nexts.set(tail, head);
    sizes.set(head, sizeOf(head) + sizeOf(tail));
  };
  for (const event of events) {
    const { distinctId, person } = event;
    unite(keyOf(event), distinctId);
    if (person.merge !== null) unite(distinctId, person.merge.otherDistinctId);
  }
  const ways = new Map<string, number>();
  return events.map((event) => {
    const head = headOf(event.distinctId);
    const way = ways.get(head) ?? laneOf(event, lanes);
    ways.set(head, way);
    return way;
  });
}

function keyOf({ distinctId, properties }: FinishedEvent): string {
  const device = properties['$device_id'];
  return typeof device === 'string' ? device : distinctId;
}
