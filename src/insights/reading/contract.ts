/** Preview of changed reading rules. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { readingChange } from '#src/projects/contract.ts';

/** A project with changed rules; absent rules are unchanged. */
export const readingPreviewInput = z.extend(readingChange, {
  project: z.string().check(z.minLength(1), z.maxLength(64)),
});

export interface ReadingPreview {
  of: 'pages' | 'hosts' | 'channels';
  /** Events with a changed value. */
  events: number;
  /** How many values there are, and would be. */
  before: number;
  after: number;
  /** Most frequent first. '': missing value. */
  changes: { from: string; to: string; count: number }[];
  /** Changes that are not listed. */
  others: number;
}

/** Maximum number of listed changes. */
export const MAX_PREVIEWED = 25;
