/** What rules for reading would change. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { readingChange } from '#src/projects/contract.ts';

/** A project, and its rules as they would be: what is left out stays. */
export const readingPreviewInput = z.extend(readingChange, {
  project: z.string().check(z.minLength(1), z.maxLength(64)),
});

export interface ReadingPreview {
  of: 'pages' | 'hosts' | 'channels';
  /** Events whose value would be another. */
  events: number;
  /** How many values there are, and would be. */
  before: number;
  after: number;
  /** The commonest first. '': nothing was said. */
  changes: { from: string; to: string; count: number }[];
  /** Changes that are not listed. */
  others: number;
}

/** As many as one looks through. */
export const MAX_PREVIEWED = 25;
