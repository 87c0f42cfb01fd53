/** Rules of saved insights. Without schemas, so that the browser may import it as it is. */

/** Kinds that the editor has. Stored: a name is never given another meaning. */
export const savedKinds = ['trends', 'funnel', 'retention', 'paths', 'lifecycle', 'stickiness'] as const;
export type SavedKind = (typeof savedKinds)[number];

/** Version of stored queries and of those in addresses. A change of meaning takes the next number and an up-cast (`upcasts.ts`). */
export const QUERY_VERSION = 1;

export const MAX_INSIGHTS = 1_000;
export const MAX_INSIGHT_NAME = 200;
export const MAX_DESCRIPTION = 2_000;
export const MAX_TAGS = 20;
export const MAX_TAG = 40;
/** Characters of a definition as JSON. */
export const MAX_DEFINITION = 65_536;
/** Changes of an insight that are kept. */
export const MAX_HISTORY = 100;
export const MAX_DISPLAY_OPTIONS = 30;

/** Kinds of changes. Stored. */
export const insightActions = ['created', 'changed', 'archived', 'restored', 'reverted'] as const;
export type InsightAction = (typeof insightActions)[number];

/** Owner of the sample project's insights: no real account. */
export const SAMPLE_ACCOUNT = 0;
