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

/** Selection of raw events. Bots and internal traffic are included. */
export const exploredInput = z.object({
  project: projectRef,
  range: rangeInput,
  filters: z.optional(filters),
  /** Events of these people only; absent: of all. */
  people: z.optional(peopleQuery),
  /** Number of a segment of the project: its filters have to be fulfilled too. */
  segment: z.optional(rowId),
  /** Event names; empty: any. */
  names: z._default(z.array(storedName).check(z.maxLength(MAX_NAMES)), []),
});
export type ExploredInput = z.infer<typeof exploredInput>;
export type EventListQuery = Omit<ExploredInput, 'project' | 'segment'>;

/** A property of the event, or of the person as known today. */
export const chosenColumn = z.object({ of: z.enum(['event', 'person']), name: storedName });
export type ChosenColumn = z.infer<typeof chosenColumn>;

export const pageInput = z.extend(exploredInput, {
  /** Properties that are wanted besides what every row has. */
  columns: z._default(z.array(chosenColumn).check(z.maxLength(MAX_COLUMNS)), []),
  after: z.optional(eventPlace),
  /** Instead of `after`: the page of newer events before this place. */
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
  /** Columns of a table (`csv`); NDJSON has all fields. */
  columns: z._default(z.array(exportColumn).check(z.maxLength(MAX_COLUMNS)), []),
});
export type ExportInput = z.infer<typeof exportInput>;

/** The people of the list, in its order; always a table. */
export const peopleExportInput = z.omit(peopleInput, { after: true });
export type PeopleExportInput = z.infer<typeof peopleExportInput>;
export type PeopleExportQuery = Omit<PeopleExportInput, 'project'>;

/** Maximum people of a direct download. The screen switches to a background export above `MAX_ORDERED` already, because the number may grow meanwhile. */
export const MAX_PEOPLE_AT_ONCE = 10_000;

export type ExportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'expired';

/** A file that is made in the background. */
export interface EventExport {
  id: number;
  state: ExportState;
  what: 'events' | 'people';
  /** File extension. */
  format: ExportFormat | 'xlsx';
  /** Edges of the range, ms; null: of people. */
  range: { from: number; to: number } | null;
  /** Event names; empty: any. */
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

/** Events with implausibly early dates, which `all_time` excludes. */
export interface EarlyEvents {
  /** 10,001 stands for all larger numbers. */
  events: number;
  /** They happened before this moment, ms; null: there are none. */
  before: number | null;
}

/** Events deleted by one call, and whether any remain. */
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

/** Definition of an event or event property. */
export interface Definition {
  name: string;
  /** Type of the latest value: string, number, boolean, datetime, list or object. Null: an event. */
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
  /** Null: never edited. */
  changedBy: string | null;
  changedAt: number | null;
}

export interface Definitions {
  /** Over how many days events are counted: today and those before, UTC. */
  days: number;
  /** False: counting took too long. */
  isCounted: boolean;
  /** One page of definitions. */
  definitions: Definition[];
  page: number;
  pages: number;
  /** On all pages. */
  total: number;
  /** There are more than can be paged through. */
  hasMore: boolean;
  /** The most events that one of all pages has. */
  maxEvents: number;
  /** Members who can be owners. */
  people: { id: number; name: string }[];
}

export const describeInput = z.object({
  kind: z.enum(definitionKinds),
  name: storedName,
  description: z.optional(z.string().check(z.trim(), z.maxLength(MAX_DESCRIPTION_LENGTH))),
  verified: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  /** Null: no owner. */
  owner: z.optional(z.nullable(rowId)),
});
export type DescribeInput = z.infer<typeof describeInput>;

/** Names for selection, without hidden ones. */
export interface ExplorerNames {
  /** Event names, most recently seen first. */
  events: string[];
  /** Event properties, alphabetically. */
  properties: string[];
}

export interface ExplorerRow {
  ts: number;
  receivedAt: number;
  uuid: string;
  event: string;
  /** Short summary from its data, such as the path; may be ''. */
  detail: string;
  person: { uuid: string; identified: boolean; label: string | null; distinctId: string };
  /** ISO country code or null. */
  country: string | null;
  /** Uuid of the visit. */
  session: string | null;
  /** Marks such as `bot`. */
  marks: string[];
  /** One per wanted column; long ones are cut. Null: it has none. */
  values: JsonValue[];
}

export interface ExplorerPage {
  timeZone: string;
  range: ResolvedRange;
  /** The newest first. */
  rows: ExplorerRow[];
  /** Cursor of the next page; null: the last page. */
  next: EventPlace | null;
  /** Cursor of the page of newer events, for `before`; null: these are the newest. */
  newer: EventPlace | null;
  /** Set when the time for one page was over before it was full: down to this moment everything has been looked at. */
  searchedTo: number | null;
  /** The same while newer ones were looked for: everything before this moment has been. */
  searchedUp: number | null;
}
