/** Histories of identities for tests: what several people on several devices might do, as finished events. */
import type { FinishedEvent, PersonChange } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';

const NO_CHANGE: PersonChange = { process: true, set: {}, setOnce: {}, unset: [], identify: false, merge: null };

export interface Said {
  event?: string;
  id: string;
  ts: number;
  uuid?: string;
  /** Unless at once. */
  receivedAt?: number;
  orderedAt?: number;
  person?: Partial<PersonChange>;
  properties?: JsonObject;
  groups?: FinishedEvent['groups'];
  groupIdentify?: FinishedEvent['groupIdentify'];
}

let made = 0;

/** A finished event of project 1; everything about it that matters for identity can be said. */
export function said({ event = 'ping', id, ts, person = {}, ...rest }: Said, projectId = 1): FinishedEvent {
  made += 1;
  const uuid = rest.uuid ?? `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  const finished: FinishedEvent = {
    ...{ projectId, uuid, event, distinctId: id, ts, receivedAt: rest.receivedAt ?? ts, session: null, marks: 0 },
    groups: rest.groups ?? {},
    properties: rest.properties ?? {},
    person: { ...NO_CHANGE, ...person },
  };
  if (rest.groupIdentify !== undefined) finished.groupIdentify = rest.groupIdentify;
  if (rest.orderedAt !== undefined) finished.orderedAt = rest.orderedAt;
  return finished;
}

/** An event that leaves its person alone. */
export function personless(id: string, ts: number): Said {
  return { id, ts, person: { process: false } };
}

export function identify(id: string, anonymousId: string | null, ts: number, set: JsonObject = {}): Said {
  const merge = anonymousId === null ? null : ({ kind: 'identify', otherDistinctId: anonymousId } as const);
  return { event: '$identify', id, ts, person: { identify: true, merge, set } };
}

export function alias(id: string, other: string, ts: number, kind: 'alias' | 'dangerously' = 'alias'): Said {
  const event = kind === 'alias' ? '$create_alias' : '$merge_dangerously';
  return { event, id, ts, person: { merge: { kind, otherDistinctId: other } } };
}
