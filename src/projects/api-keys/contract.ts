/** Personal keys as their screen sees them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { shownName } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { type KeyDays, type KeyScope, keyDayNames, keyDays, keyScopes } from './values.ts';

export { type KeyDays, type KeyScope, keyDayNames, keyDays, keyScopes };

export const newApiKey = z.object({
  name: shownName,
  scopes: z.array(z.enum(keyScopes)).check(z.minLength(1, 'Select at least one.'), z.maxLength(keyScopes.length)),
  /** Numbers of projects; null: all that the person may see, now and later. */
  projects: z.nullable(z.array(rowId).check(z.minLength(1, 'Select at least one.'), z.maxLength(1000))),
  days: z.enum(keyDayNames),
});
export type NewApiKey = z.infer<typeof newApiKey>;

export const apiKeyRef = z.object({ id: rowId });

export interface ApiKeyRow {
  id: number;
  name: string;
  /** Its first characters. */
  hint: string;
  scopes: KeyScope[];
  projects: number[] | null;
  /** ms; null: never. */
  expiresAt: number | null;
  /** ms, to five minutes; null: not yet. */
  lastUsedAt: number | null;
  createdAt: number;
}
