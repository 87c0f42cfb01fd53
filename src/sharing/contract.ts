/** Links that share a dashboard or an insight with readers without an account. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rowId } from '#src/kit/row.ts';
import {
  MAX_ORIGINS,
  MAX_SHARE_PASSWORD,
  MIN_SHARE_PASSWORD,
  originEntry,
  type SharedKind,
  type ShareFilter,
  type ShareTheme,
  sharedKinds,
  shareFilters,
  shareThemes,
} from './values.ts';

/** The dashboard or insight that a link shows. */
export const sharedObject = z.strictObject({ kind: z.enum(sharedKinds), id: rowId });
export type SharedObject = z.infer<typeof sharedObject>;

const origin = z.string().check(
  z.maxLength(300),
  z.refine((text) => originEntry(text) !== null, 'Enter an origin, e.g. https://www.example.com.'),
);

export const shareSettings = z.strictObject({
  /** ms; null: never. */
  expiresAt: z.nullable(z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000))),
  /** Readers may choose another range. */
  open: z.boolean(),
  /** Readers may filter by these; all other filters stay as saved. */
  filters: z._default(z.array(z.enum(shareFilters)).check(z.maxLength(shareFilters.length)), []),
  /** Null: the reader's own. */
  language: z.nullable(z.enum(['en', 'pt-BR'])),
  theme: z.enum(shareThemes),
  /** Sites that may show it in a frame. */
  origins: z.array(origin).check(z.maxLength(MAX_ORIGINS, `Use at most ${MAX_ORIGINS} sites.`)),
  /** Null: none; absent: as before. */
  password: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.minLength(MIN_SHARE_PASSWORD, `Use at least ${MIN_SHARE_PASSWORD} characters.`),
          z.maxLength(MAX_SHARE_PASSWORD, `Use at most ${MAX_SHARE_PASSWORD} characters.`),
        ),
    ),
  ),
});
export type ShareSettings = z.infer<typeof shareSettings>;

export const shareRef = z.object({ of: sharedObject });
export const shareInput = z.object({ of: sharedObject, settings: shareSettings });

/** A link. Times are ms. */
export interface ShareLink {
  of: { kind: SharedKind; id: number };
  /** Null for viewers, and when the key of this server has changed since: a new link has to be made. */
  url: string | null;
  /** Who created it; null: the account no longer exists. */
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  hasPassword: boolean;
  open: boolean;
  filters: ShareFilter[];
  language: 'en' | 'pt-BR' | null;
  theme: ShareTheme;
  origins: string[];
  /** In the last seven days. */
  views: number;
}

/** A link in the list of a team. */
export interface TeamShareLink extends Omit<ShareLink, 'url' | 'theme' | 'language'> {
  project: { id: number; name: string };
  /** Of the dashboard or insight. */
  name: string;
}
