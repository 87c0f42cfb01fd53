/** Schemas of public links in the public API. */
import * as z from 'zod';
import { ms } from '#src/insights/query/results.ts';
import type { ShareLink, TeamShareLink } from '#src/sharing/contract.ts';
import {
  MAX_ORIGINS,
  MAX_SHARE_PASSWORD,
  MIN_SHARE_PASSWORD,
  sharedKinds,
  shareFilters,
  shareThemes,
} from '#src/sharing/values.ts';

const settings = {
  expiresAt: ms.nullable().meta({ description: 'Null: never.' }),
  open: z.boolean().meta({ description: 'Readers may choose another range.' }),
  language: z.enum(['en', 'pt-BR']).nullable().meta({ description: 'Null: the reader’s own.' }),
  theme: z.enum(shareThemes),
  filters: z
    .array(z.enum(shareFilters))
    .max(shareFilters.length)
    .meta({ description: 'Fields of visits by which readers may filter.' }),
  origins: z
    .array(z.string().max(300))
    .max(MAX_ORIGINS)
    .meta({ description: 'Sites that may show the page in a frame.' }),
};

const password = z
  .string()
  .min(MIN_SHARE_PASSWORD)
  .max(MAX_SHARE_PASSWORD)
  .nullable()
  .optional()
  .meta({ description: 'Stored hashed, never answered. Null removes it.' });

export const NewShareLink = z
  .strictObject({
    expiresAt: settings.expiresAt.default(null),
    open: settings.open.default(false),
    language: settings.language.default(null),
    theme: settings.theme.default('system'),
    filters: settings.filters.default([]),
    origins: settings.origins.default([]),
    password,
  })
  .meta({ id: 'NewShareLink', examples: [{ open: true, origins: ['https://www.example.com'] }] });

export const ShareLinkPatch = z
  .strictObject({
    expiresAt: settings.expiresAt.optional(),
    open: settings.open.optional(),
    language: settings.language.optional(),
    theme: settings.theme.optional(),
    filters: settings.filters.optional(),
    origins: settings.origins.optional(),
    password,
  })
  .meta({ id: 'ShareLinkPatch', examples: [{ theme: 'dark' }] });

const known = {
  of: z.object({ kind: z.enum(sharedKinds), id: z.int() }),
  createdBy: z.string().nullable(),
  createdAt: ms,
  expiresAt: settings.expiresAt,
  hasPassword: z.boolean(),
  open: settings.open,
  filters: settings.filters,
  origins: settings.origins,
  views: z.int().meta({ description: 'In the last seven days.' }),
};

export const ShareLinkAnswer = z
  .object({
    ...known,
    url: z.string().nullable().meta({ description: 'Null when the server’s key changed since: rotate the link.' }),
    language: settings.language,
    theme: settings.theme,
  })
  .meta({ id: 'ShareLink' });
ShareLinkAnswer satisfies z.ZodType<ShareLink>;

export const ShareLinks = z
  .object({
    links: z.array(
      z
        .object({
          ...known,
          name: z.string().meta({ description: 'Of the dashboard or insight.' }),
          project: z.object({ id: z.int(), name: z.string() }),
        })
        .meta({ id: 'ShareLinkSummary' }),
    ),
  })
  .meta({ id: 'ShareLinks' });
ShareLinks satisfies z.ZodType<{ links: TeamShareLink[] }>;
