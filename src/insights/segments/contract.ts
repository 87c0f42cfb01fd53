/** Segments: filters with a name, of one person or of the whole team. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type Filters, filters } from '#src/columns/contract.ts';
import { rowId } from '#src/kit/row.ts';
import { type PeopleQuery, peopleQuery } from '../query/people/contract.ts';

/** As many as a list is still looked through; own and shared together. */
export const MAX_SEGMENTS = 200;

const project = z.string().check(z.minLength(1), z.maxLength(64));
const segmentName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/**
 * What is stored; from the second version on it may say whose events count, in the third operators have their present names, and in the fourth fields of visits. Stored: a
 * version is never given another meaning.
 */
export const segmentDefinition = z.object({
  version: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  filters,
  people: z.optional(peopleQuery),
});

export const segmentInput = z.object({
  project,
  name: segmentName,
  /** For the whole team. */
  shared: z.boolean(),
  filters,
  /** People whose events count; absent: everybody's. */
  people: z.optional(peopleQuery),
});
export type SegmentInput = z.infer<typeof segmentInput>;

export const segmentRename = z.object({ project, segment: rowId, name: segmentName });
/** What it means from now on; its name stays. */
export const segmentChange = z.object({ project, segment: rowId, filters, people: z.optional(peopleQuery) });
export type SegmentChange = z.infer<typeof segmentChange>;
export const segmentRef = z.object({ project, segment: rowId });

export interface Segment {
  id: number;
  name: string;
  shared: boolean;
  filters: Filters;
  people?: PeopleQuery;
  /** Whether the asker may change and delete it. */
  isMine: boolean;
}
