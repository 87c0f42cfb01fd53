/** Raw events as they are looked at and taken along, and what is known of their names. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import { type ResolvedRange, rangeInput } from '#src/insights/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';

const projectRef = z.string().check(z.minLength(1), z.maxLength(64));
const name = z.string().check(z.minLength(1), z.maxLength(400));

/** A place in the order of events, the newest first: what comes after it is older. */
const place = z.object({ ts: z.number(), uuid: z.string().check(z.regex(/^[0-9a-f-]{36}$/i)) });
export type EventPlace = z.infer<typeof place>;

/** Which events: bots and the team's own are among them, since nothing is counted here. */
export const exploredInput = z.object({
  project: projectRef,
  range: rangeInput,
  filters: z.optional(filters),
  /** Of one of these names; none: of any. */
  names: z._default(z.array(name).check(z.maxLength(50)), []),
});
export type ExploredInput = z.infer<typeof exploredInput>;
export type Explored = Omit<ExploredInput, 'project'>;

/** A property of the event, or of the person as known today. */
export const chosenColumn = z.object({ of: z.enum(['event', 'person']), name });
export type ChosenColumn = z.infer<typeof chosenColumn>;

export const pageInput = z.extend(exploredInput, {
  /** Properties that are wanted besides what every row has. */
  columns: z._default(z.array(chosenColumn).check(z.maxLength(20)), []),
  after: z.optional(place),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
});
export type PageInput = z.infer<typeof pageInput>;

/** What there is to choose from; what is hidden is left out. */
export interface ExplorerNames {
  /** Of events, those seen last first. */
  events: string[];
  /** Of properties of events, by the alphabet. */
  properties: string[];
}

export interface ExplorerRow {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  /** What it is about, in a few words of its own data; may be ''. */
  detail: string;
  person: { uuid: string; identified: boolean; label: string | null; distinctId: string };
  /** ISO country code or null. */
  country: string | null;
  bot: boolean;
  internal: boolean;
  /** One per wanted column; long ones are cut. Null: it has none. */
  values: JsonValue[];
}

export interface ExplorerPage {
  timeZone: string;
  range: ResolvedRange;
  /** The newest first. */
  rows: ExplorerRow[];
  /** Where the next page begins; null: there is nothing more. */
  next: EventPlace | null;
  /** Set when the time for one page was over before it was full: down to this moment everything has been looked at. */
  searchedTo: number | null;
}
