/** Raw events as they are looked at and taken along, and what is known of their names. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { filters } from '#src/columns/contract.ts';
import { type ResolvedRange, rangeInput } from '#src/insights/contract.ts';
import { peopleQuery } from '#src/insights/query/people/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { storedName } from '#src/kit/name.ts';
import { eventPlace } from '#src/kit/place.ts';
import { rowId } from '#src/kit/row.ts';
import { peopleInput } from '#src/profiles/contract.ts';
import {
  definitionSorts,
  MAX_COLUMNS,
  MAX_DEFINITION_PAGES,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAMES,
  MAX_SEARCH_LENGTH,
} from './values.ts';

const projectRef = z.string().check(z.minLength(1), z.maxLength(64));

/** A place in the order of events, the newest first: what comes after it is older. */
export type EventPlace = z.infer<typeof eventPlace>;

/** Which events: bots and internal traffic are among them, since nothing is counted here. */
export const exploredInput = z.object({
  project: projectRef,
  range: rangeInput,
  filters: z.optional(filters),
  /** Whose events count; absent: everybody's. */
  people: z.optional(peopleQuery),
  /** Number of a segment of the project: its filters have to be fulfilled too. */
  segment: z.optional(rowId),
  /** Of one of these names; none: of any. */
  names: z._default(z.array(storedName).check(z.maxLength(MAX_NAMES)), []),
});
export type ExploredInput = z.infer<typeof exploredInput>;
export type Explored = Omit<ExploredInput, 'project' | 'segment'>;

/** A property of the event, or of the person as known today. */
export const chosenColumn = z.object({ of: z.enum(['event', 'person']), name: storedName });
export type ChosenColumn = z.infer<typeof chosenColumn>;

export const pageInput = z.extend(exploredInput, {
  /** Properties that are wanted besides what every row has. */
  columns: z._default(z.array(chosenColumn).check(z.maxLength(MAX_COLUMNS)), []),
  after: z.optional(eventPlace),
  /** Instead of `after`: where a page begins whose older neighbour this is. */
  before: z.optional(eventPlace),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
});
export type PageInput = z.infer<typeof pageInput>;

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A column of a file: one that every event has, or `event.` or `person.` and the name of a property. */
const exportColumn = z
  .string()
  .check(
    z.maxLength(420),
    z.regex(/^(event|detail|person|country|id|received|session|marks|(event|person)\.[\s\S]+)$/),
  );

export const exportInput = z.extend(exploredInput, {
  format: z.enum(exportFormats),
  /** Of a table (`csv`); NDJSON has everything. */
  columns: z._default(z.array(exportColumn).check(z.maxLength(MAX_COLUMNS)), []),
});
export type ExportInput = z.infer<typeof exportInput>;

/** Whom the list of people shows, in its order; always a table. */
export const peopleExportInput = z.omit(peopleInput, { after: true });
export type PeopleExportInput = z.infer<typeof peopleExportInput>;
export type PeopleExported = Omit<PeopleExportInput, 'project'>;

/** So many people are sent at once. The screen asks for a file made in the background beyond `MAX_ORDERED` people already: they may have become more since. */
export const MAX_PEOPLE_AT_ONCE = 10_000;

export type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'expired';

/** A file that is made in the background. */
export interface EventExport {
  id: number;
  state: ExportState;
  what: 'events' | 'people';
  /** How its name ends. */
  format: ExportFormat | 'xlsx';
  /** Edges of the range, ms; null: of people. */
  range: { from: number; to: number } | null;
  /** Of events of one of these names; none: of any. */
  names: string[];
  isFiltered: boolean;
  askedBy: string;
  askedAt: number;
  doneAt: number | null;
  expiresAt: number | null;
  /** Written so far. */
  rows: number;
  bytes: number;
}

export const exportIdInput = z.object({ id: z.int().check(z.positive()) });

/** Events whose date is so early that `all_time` begins after them. */
export interface EarlyEvents {
  /** 10,001 stands for all larger numbers. */
  events: number;
  /** They happened before this moment, ms; null: there are none. */
  before: number | null;
}

/** What one call deleted, and whether nothing is left. */
export interface DeletedEarly {
  events: number;
  isDone: boolean;
}

export const deleteEarlyInput = z.object({ before: z.int() });

export const definitionKinds = ['event', 'property'] as const;
export type DefinitionKind = (typeof definitionKinds)[number];

export type DefinitionSort = (typeof definitionSorts)[number];

export const explainDefinitionsInput = z.object({ project: projectRef, kind: z.enum(definitionKinds) });

export const definitionsInput = z.object({
  project: projectRef,
  kind: z.enum(definitionKinds),
  /** Without it: by how many events, the most first. */
  sort: z.optional(z.enum(definitionSorts)),
  /** Words that name or description have to contain. */
  search: z.optional(z.string().check(z.maxLength(MAX_SEARCH_LENGTH))),
  /** From 1 on; one after the last is the last. */
  page: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_DEFINITION_PAGES))),
});
export type DefinitionsInput = z.infer<typeof definitionsInput>;

/** What is known of the name of an event, or of a property of events. */
export interface Definition {
  name: string;
  /** Of the latest value: string, number, boolean, datetime, list or object. Null: an event. */
  type: string | null;
  /** Events of the last days, bots among them; null where they are not counted. */
  events: number | null;
  firstSeen: number;
  lastSeen: number;
  description: string;
  verified: boolean;
  /** Not offered where one chooses. */
  hidden: boolean;
  owner: { id: number; name: string } | null;
  /** Null: nobody has said anything yet. */
  changedBy: string | null;
  changedAt: number | null;
}

export interface Definitions {
  /** Over how many days events are counted: today and those before, UTC. */
  days: number;
  /** False: counting took too long. */
  isCounted: boolean;
  /** Of one page. */
  definitions: Definition[];
  page: number;
  pages: number;
  /** On all pages. */
  total: number;
  /** There are more than can be paged through. */
  hasMore: boolean;
  /** The most events that one of all pages has. */
  maxEvents: number;
  /** Who may be an owner. */
  people: { id: number; name: string }[];
}

export const describeInput = z.object({
  kind: z.enum(definitionKinds),
  name: storedName,
  description: z.optional(z.string().check(z.trim(), z.maxLength(MAX_DESCRIPTION_LENGTH))),
  verified: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  /** Null: nobody. */
  owner: z.optional(z.nullable(rowId)),
});
export type DescribeInput = z.infer<typeof describeInput>;

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
  /** Uuid of the visit. */
  session: string | null;
  /** What is special about it, as `bot`. */
  marks: string[];
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
  /** Where the page of newer ones ends, for `before`; null: these are the newest. */
  newer: EventPlace | null;
  /** Set when the time for one page was over before it was full: down to this moment everything has been looked at. */
  searchedTo: number | null;
  /** The same while newer ones were looked for: everything before this moment has been. */
  searchedUp: number | null;
}
