/** Saved insights: a query with display options, name, description and tags. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { MAX_GROUP_TYPES } from '#src/columns/values.ts';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import type { ResultSummary } from '../query/contract.ts';
import {
  type InsightAction,
  MAX_DESCRIPTION,
  MAX_DISPLAY_OPTIONS,
  MAX_INSIGHT_NAME,
  MAX_TAG,
  MAX_TAGS,
  QUERY_VERSION,
  type SavedKind,
  savedKinds,
} from './values.ts';

const displayOption = z.union([
  z.string().check(z.maxLength(500)),
  z.number(),
  z.boolean(),
  z.array(z.string().check(z.maxLength(500))).check(z.maxLength(100)),
]);

/** How the editor draws a result (chart, moving average, columns …). No number depends on it, and screens ignore options that they do not know. */
export const display = z
  .record(z.string().check(z.minLength(1), z.maxLength(40)), displayOption)
  .check(z.refine((options) => Object.keys(options).length <= MAX_DISPLAY_OPTIONS, 'Too many display options.'));
export type Display = z.infer<typeof display>;

/** Query and display of an insight. */
export const definitionInput = z.strictObject({
  kind: z.enum(savedKinds),
  /** Version of `query`; older ones are up-cast. */
  version: z._default(z.int().check(z.minimum(1), z.maximum(QUERY_VERSION)), QUERY_VERSION),
  /** Input of the kind, checked by its own schema. */
  query: z.record(z.string(), z.unknown()),
  /** Number of a shared segment that it is within. */
  segment: z.optional(rowId),
  display: z._default(display, {}),
});
export type DefinitionInput = z.infer<typeof definitionInput>;

export const insightName = lineOf(MAX_INSIGHT_NAME);
export const insightDescription = z
  .string()
  .check(z.trim(), z.maxLength(MAX_DESCRIPTION, `Use at most ${MAX_DESCRIPTION} characters.`));
export const insightTags = z.array(lineOf(MAX_TAG)).check(z.maxLength(MAX_TAGS, `Use at most ${MAX_TAGS} tags.`));

const about = {
  name: insightName,
  description: z._default(insightDescription, ''),
  tags: z._default(insightTags, []),
};

export const insightInput = z.strictObject({ ...about, definition: definitionInput });
export type InsightInput = z.infer<typeof insightInput>;

/** Changed fields; absent ones are unchanged. */
export const insightChange = z.strictObject({
  name: z.optional(insightName),
  description: z.optional(insightDescription),
  tags: z.optional(insightTags),
  definition: z.optional(definitionInput),
  /** The revision that was edited: refused when there is a newer one. */
  revision: z.optional(rowId),
});
export type InsightChange = z.infer<typeof insightChange>;

export const insightRef = z.object({ insight: rowId });
export const createInput = z.object({ ...insightInput.shape });
export const updateInput = z.object({ insight: rowId, change: insightChange });
export const duplicateInput = z.object({ insight: rowId, name: insightName });
export const favoriteInput = z.object({ insight: rowId, favorite: z.boolean() });
export const revisionInput = z.object({ insight: rowId, revision: rowId });

/** A group, such as a company. */
export const groupRef = z.object({
  type: z.int().check(z.minimum(0), z.maximum(MAX_GROUP_TYPES - 1)),
  key: z.string().check(z.minLength(1), z.maxLength(400)),
});
export type GroupRef = z.infer<typeof groupRef>;

export const MAX_PAGE = 100;

/** Filters of the list; absent: all insights. */
export const insightsQuery = z.object({
  search: z.optional(z.string().check(z.maxLength(200))),
  kind: z.optional(z.enum(savedKinds)),
  owner: z.optional(rowId),
  tag: z.optional(z.string().check(z.maxLength(MAX_TAG))),
  favorites: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  /** Insights that use this event. */
  event: z.optional(z.string().check(z.maxLength(400))),
  /** Insights about this group. */
  group: z.optional(groupRef),
  offset: z._default(z.int().check(z.minimum(0), z.maximum(10_000)), 0),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_PAGE)), 50),
});
export type InsightsQuery = z.infer<typeof insightsQuery>;

/** The author; without a name when the account no longer exists. */
export interface InsightAccount {
  id: number;
  name: string | null;
}

/** Common fields of insights in results. Times are ms. */
export interface InsightSummary {
  id: number;
  kind: SavedKind;
  name: string;
  description: string;
  tags: string[];
  owner: InsightAccount;
  createdAt: number;
  changedAt: number;
  /** Null: in use. */
  archivedAt: number | null;
  /** Favorite of the reader. */
  favorite: boolean;
  /** When the reader last opened it. */
  viewedAt: number | null;
  revision: number;
}

/** An insight with its query in the present version. */
export interface SavedInsight extends InsightSummary {
  version: number;
  query: Record<string, unknown>;
  segment: number | null;
  display: Display;
}

/** An insight as the page of a group offers it. */
export interface GroupInsight extends SavedInsight {
  /** Its query is about this group already. */
  named: boolean;
}

export interface InsightListItem extends InsightSummary {
  preview: ResultSummary | null;
  /** Time of the preview's result. */
  previewedAt: number | null;
}

export interface InsightList {
  items: InsightListItem[];
  /** How many the filters leave, on all pages. */
  total: number;
  /** Filter options over all active insights. */
  facets: {
    all: number;
    kinds: Partial<Record<SavedKind, number>>;
    owners: InsightAccount[];
    tags: string[];
    favorites: number;
    archived: number;
  };
}

export const changedFields = ['name', 'description', 'tags', 'query', 'display', 'segment'] as const;
export type ChangedField = (typeof changedFields)[number];

export interface InsightRevision {
  revision: number;
  action: InsightAction;
  by: InsightAccount;
  at: number;
  /** Name from this revision on. */
  name: string;
  kind: SavedKind;
  /** Changes from the previous revision; empty for the oldest one. */
  changed: ChangedField[];
}

/** Insights and segments that use a goal, or a segment. */
export interface InsightUse {
  id: number;
  name: string;
}

export const templateIds = [
  'ecommerceFunnel',
  'buyerRetention',
  'ordersByWeek',
  'revenue',
  'averageOrder',
  'activation',
  'featureAdoption',
  'weeklyRetention',
  'activePeople',
  'powerUsers',
  'growth',
  'visitPaths',
  'sources',
] as const;
export type TemplateId = (typeof templateIds)[number];

/** An insight to start from, filled with events of the project. */
export interface InsightTemplate {
  id: TemplateId;
  definition: DefinitionInput;
}
