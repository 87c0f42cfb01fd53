/** Events on an ephemeral disk: their clients got a 503, and retried events are not written twice. */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { UnroutedRecord } from './spool-record.ts';

export interface Rescued {
  /** The events that are not on disk yet. */
  missing(events: FinishedEvent[]): FinishedEvent[];
  hasAll(record: UnroutedRecord): boolean;
  addEvents(events: readonly FinishedEvent[]): void;
  addUnrouted(record: UnroutedRecord): void;
  /** They are in the database, where the uuid ledger knows them. */
  remove(events: readonly FinishedEvent[]): void;
  /** Nothing is on disk any more. */
  clear(): void;
}

/** Beyond this many (some 50 MB of memory) retries are written again; the uuid ledger makes them one in the end. */
const MAX_RESCUED = 500_000;

/** @param most keys that are remembered */
export function createRescued(most = MAX_RESCUED): Rescued {
  const keys = new Set<string>();

  function add(more: readonly string[]): void {
    if (keys.size + more.length <= most) for (const key of more) keys.add(key);
  }

  return {
    missing: (events) => events.filter((event) => !keys.has(eventKey(event))),
    hasAll: (record) => record.uuids.length > 0 && unroutedKeys(record).every((key) => keys.has(key)),
    addEvents: (events) => add(events.map(eventKey)),
    addUnrouted: (record) => add(unroutedKeys(record)),
    remove(events) {
      for (const event of events) keys.delete(eventKey(event));
    },
    clear: () => keys.clear(),
  };
}

function eventKey({ projectId, uuid }: FinishedEvent): string {
  return `${projectId}/${uuid}`;
}

function unroutedKeys({ token, uuids }: UnroutedRecord): string[] {
  return uuids.map((uuid) => `${token}/${uuid}`);
}
