/** Segments: filters with a name, of one person or of the whole team. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type Filters, filters } from '#src/columns/contract.ts';
import { rowId } from '#src/kit/row.ts';
import { type PeopleQuery, peopleQuery } from '../query/people/contract.ts';

/** Maximum segments of a project, own and shared. */
export const MAX_SEGMENTS = 200;

const project = z.string().check(z.minLength(1), z.maxLength(64));
const segmentName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/**
 * Stored definition. Version 2 adds people, version 3 has the current operator names, version 4 those of visit fields. A
 * version never changes its meaning.
 */
export const segmentDefinition = z.object({
  version: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  filters,
  people: z.optional(peopleQuery),
});

export const segmentInput = z.object({
  project,
  name: segmentName,
  /** Visible to the whole team. */
  shared: z.boolean(),
  filters,
  /** Set of people; absent: all. */
  people: z.optional(peopleQuery),
});
export type SegmentInput = z.infer<typeof segmentInput>;

export const segmentRename = z.object({ project, segment: rowId, name: segmentName });
/** A new definition; the name is unchanged. */
export const segmentChange = z.object({ project, segment: rowId, filters, people: z.optional(peopleQuery) });
export type SegmentChange = z.infer<typeof segmentChange>;
export const segmentRef = z.object({ project, segment: rowId });

export interface Segment {
  id: number;
  name: string;
  shared: boolean;
  filters: Filters;
  people?: PeopleQuery;
  /** True when the reader may change and delete it. */
  isMine: boolean;
}
