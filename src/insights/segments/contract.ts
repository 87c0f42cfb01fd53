/** Segments: filters with a name, of one person or of the whole team. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type Filters, filters } from '#src/columns/contract.ts';

/** As many as a list is still looked through; own and shared together. */
export const MOST_SEGMENTS = 200;

const project = z.string().check(z.minLength(1), z.maxLength(64));
const segmentName = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));

/** What is stored. */
export const segmentDefinition = z.object({ version: z.literal(1), filters });

export const segmentInput = z.object({
  project,
  name: segmentName,
  /** For the whole team. */
  shared: z.boolean(),
  filters,
});
export type SegmentInput = z.infer<typeof segmentInput>;

export const segmentRename = z.object({ project, segment: z.int(), name: segmentName });
export const segmentRef = z.object({ project, segment: z.int() });

export interface Segment {
  id: number;
  name: string;
  shared: boolean;
  filters: Filters;
  /** Whether whoever asks may rename and delete it. */
  isMine: boolean;
}
