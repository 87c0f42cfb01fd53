/** An event with numeric references, as the write transaction processes it. */

import type { JsonObject } from '#src/kit/json.ts';
import type { FinishedEvent, GroupKind } from './contract.ts';

/** Numbers of an event's property groups; null where it has none. */
export type GroupNumbers = Record<GroupKind, number | null>;

export interface CodedEvent {
  event: FinishedEvent;
  projectId: number;
  ts: number;
  marks: number;
  /** Number of its name. */
  name: number;
  groups: GroupNumbers;
  /** Parts of groups that stay with the event. */
  spilled: JsonObject | null;
  /** Known once its person is. */
  person: number;
  /** Number of the distinct id. */
  distinctId: number;
  /** Known once its session's row is written; null without a session. */
  sessionId: number | null;
}
