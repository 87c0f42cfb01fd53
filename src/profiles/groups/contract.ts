/** Groups such as companies, as they are looked at: their types, the list, and one of them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { MAX_GROUP_TYPES } from '#src/columns/values.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { lineOf } from '#src/kit/line.ts';
import { MAX_TEXT_LENGTH } from '../values.ts';
import { groupSorts, MAX_GROUP_COLUMNS, MAX_GROUP_KEY, MAX_TYPE_WORD } from './values.ts';

const projectRef = z.string().check(z.minLength(1), z.maxLength(64));
const text = z.string().check(z.maxLength(MAX_TEXT_LENGTH));
export const groupType = z.int().check(z.minimum(0), z.maximum(MAX_GROUP_TYPES - 1));

export type GroupSort = (typeof groupSorts)[number];

/** Options of the list, besides the project and the type. */
export const groupList = {
  /** Part of a key or of a name, without regard to case and accents. */
  search: z.optional(text.check(z.trim(), z.minLength(1))),
  /** The latest, or the most, first; keys in their order. */
  sort: z._default(z.enum(groupSorts), 'seen'),
  /** Properties that are given of each group. */
  columns: z._default(z.array(text.check(z.minLength(1))).check(z.maxLength(MAX_GROUP_COLUMNS)), []),
  page: z._default(z.int().check(z.minimum(1), z.maximum(100_000)), 1),
};
export const groupsInput = z.object({ project: projectRef, type: groupType, ...groupList });
export type GroupsInput = z.infer<typeof groupsInput>;
export type GroupsQuery = Omit<GroupsInput, 'project'>;

export interface ListedGroup {
  key: string;
  /** Its property `name`; null: it has none. */
  label: string | null;
  /** Of all time, without bots and internal traffic. */
  events: number;
  people: number;
  /** First and last event, ms; null: no event of it is stored. */
  firstSeen: number | null;
  lastSeen: number | null;
  /** Of the columns that are asked for, those that it has. */
  properties: Record<string, JsonValue>;
}

export interface GroupsPage {
  rows: ListedGroup[];
  /** How many there are. */
  total: number;
}

export const groupInput = z.object({
  project: projectRef,
  type: groupType,
  key: z.string().check(z.minLength(1), z.maxLength(MAX_GROUP_KEY)),
});
export type GroupRef = Omit<z.infer<typeof groupInput>, 'project'>;

export interface GroupProperty {
  name: string;
  value: JsonValue;
  /** When it was set, ms. */
  changedAt: number | null;
}

export interface GroupDetail extends Omit<ListedGroup, 'properties'> {
  type: number;
  /** When it was first described, ms; null: never. */
  describedAt: number | null;
  properties: GroupProperty[];
}

/** A property that was set to another value. */
export interface GroupChange {
  name: string;
  value: JsonValue;
  /** Time of the event that set it, ms. */
  at: number;
}

/** What a project calls a group type: absent, it is called as events name it. */
export const groupTypeChange = z.object({
  project: projectRef,
  type: groupType,
  singular: lineOf(MAX_TYPE_WORD),
  plural: lineOf(MAX_TYPE_WORD),
});
export type GroupTypeChange = Omit<z.infer<typeof groupTypeChange>, 'project'>;

export interface GroupTypeInfo {
  type: number;
  /** As events name it. */
  name: string;
  singular: string;
  plural: string;
  /** How many were described. */
  groups: number;
}

/** A group behind a number of an insight. */
export interface PointGroup {
  type: number;
  key: string;
  label: string | null;
  /** Number of its events in the point. */
  times: number;
}
