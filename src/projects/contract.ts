/** Projects as screens see them, and their settings. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { type Role, roles } from '#src/accounts/values.ts';
import { groupingRules, suppressionRules } from '#src/errors/rules/contract.ts';
import { shownName } from '#src/kit/line.ts';
import { decimalSeparators } from '#src/kit/numbers/values.ts';
import {
  channelFieldNames,
  channelNameEntry,
  channelPatternEntry,
  MAX_CHANNEL_CONDITIONS,
  MAX_CHANNEL_RULES,
} from '#src/kit/reading/channels/values.ts';
import { MAX_PATH_PATTERNS, noPathRules, pathPatternEntry } from '#src/kit/reading/paths/values.ts';
import { rowId } from '#src/kit/row.ts';
import { noReplay, replayChange, replaySettings } from './replay/contract.ts';
import {
  graceHours,
  hostEntry,
  isTimeZone,
  listNames,
  listSettings,
  MAX_BOUNCE,
  MAX_ENTRIES,
  ofAll,
  primaryHostEntry,
  switchNames,
  switchSettings,
  tokenEntry,
} from './values.ts';

export type { ReplayChange, ReplaySettings } from './replay/contract.ts';
export { type Role, roles };

declare const projectMark: unique symbol;
/**
 * Number of a project, as this room gave it. What a room answers or changes takes one of these, so that a number that came in with a
 * request does not compile in its place: it has to go through the access check first.
 */
export type ProjectId = number & { readonly [projectMark]: true };

const pathRules = z.object({
  trailingSlash: z._default(z.boolean(), false),
  letterCase: z._default(z.boolean(), false),
  indexFiles: z._default(z.boolean(), false),
  ids: z._default(z.boolean(), false),
  hashRoutes: z._default(z.boolean(), false),
  patterns: z._default(z.array(z.string()), []),
});
const channelRules = z.array(
  z.object({
    channel: z.string(),
    when: z.array(z.object({ field: z.enum(channelFieldNames), like: z.string() })),
  }),
);

/** How values are read. Of the past as well: nothing that is stored changes. */
const reading = {
  /** Rules that group paths into pages. */
  pathRules: z._default(pathRules, { ...noPathRules, patterns: [] }),
  /** The host as which others of the site are read; '': all are read as sent … */
  primaryHost: z._default(z.string(), ''),
  /** … these, beside those of translators and archives; `*.` for any host below. */
  otherHosts: z._default(z.array(z.string()), []),
  /** Channels of the project's own, before those that Luneta derives: the first rule that fits. */
  channelRules: z._default(channelRules, []),
};
export const readingSettings = z.object(reading);

const onOrOff = (initial: boolean) => z._default(z.boolean(), initial);
const texts = (initial: readonly string[]) => z._default(z.array(z.string()), [...initial]);
const switches = ofAll(switchNames, (name) => onOrOff(switchSettings[name].initial));
const lists = ofAll(listNames, (name) => {
  const list = listSettings[name];
  return texts('initial' in list ? list.initial : []);
});

/** Stored as jsonb, parsed with defaults: a new setting needs no migration. */
export const projectSettings = z.object({
  ...reading,
  ...switches,
  ...lists,
  /** Storage of the visitor's address after the location look-up; `none`: the location is reduced to the country, too. */
  ipHandling: z._default(z.enum(['none', 'truncated', 'full']), 'truncated'),
  /** Bot events: stored and excluded from reports, or dropped. */
  bots: z._default(z.enum(['flagged', 'dropped']), 'flagged'),
  /** Bounce threshold, seconds, for visits with one view. Applied at query time, so past visits follow it, too. */
  bounceSeconds: z._default(z.int(), 10),
  /** Decimal separator of texts, which decides the meaning of `1.234`. Applied at query time, since texts are stored as sent. */
  decimalSeparator: z._default(z.enum(decimalSeparators), 'point'),
  /** Days after which events are deleted; null: kept. */
  retentionDays: z._default(z.nullable(z.int()), null),
  /** What is recorded of visits, and how long it is kept. */
  replay: z._default(replaySettings, noReplay),
  /** Which errors belong together, before anything else decides. */
  groupingRules: z._default(groupingRules, []),
  /** Errors that are not wanted. */
  suppressionRules: z._default(suppressionRules, []),
  /** Created by `--demo`: can be deleted immediately. */
  demo: z._default(z.boolean(), false),
});
export type ProjectSettings = z.infer<typeof projectSettings>;

export interface ProjectSummary {
  id: number;
  name: string;
  team: { id: number; name: string };
  /** The reader's role in the project's team. */
  role: Role;
  /** Set: it waits to be deleted at this time, ms. */
  deletesAt: number | null;
  timeZone: string;
  /** 0 Sunday, 1 Monday. */
  weekStart: 0 | 1;
  builtIn: boolean;
  /** Public token: in every page that sends events, not a secret. */
  token: string;
  /** False until an event from outside Luneta's own screens was stored. */
  hasOutsideEvents: boolean;
  /** Made by `--demo`. */
  demo: boolean;
  /** Session replay: whether visits are recorded, and whether viewers may watch. */
  replay: { isOn: boolean; viewersWatch: boolean };
  /** The groups that its events name, such as companies, by number of the type. */
  groupTypes: GroupTypeName[];
}

/** What a project calls the groups of a type. */
export interface GroupTypeName {
  type: number;
  /** As events name it. */
  name: string;
  singular: string;
  plural: string;
}

const entries = (rule: (text: string) => string | null) =>
  z.array(z.string().check(z.refine((text) => rule(text) !== null))).check(z.maxLength(MAX_ENTRIES));

const pathRulesChange = z.object({
  trailingSlash: z.optional(z.boolean()),
  letterCase: z.optional(z.boolean()),
  indexFiles: z.optional(z.boolean()),
  ids: z.optional(z.boolean()),
  hashRoutes: z.optional(z.boolean()),
  patterns: z.optional(
    z
      .array(z.string().check(z.refine((text) => pathPatternEntry(text) !== null)))
      .check(z.maxLength(MAX_PATH_PATTERNS)),
  ),
});
const channelRulesChange = z
  .array(
    z.object({
      channel: z.string().check(z.refine((text) => channelNameEntry(text) !== null)),
      when: z
        .array(
          z.object({
            field: z.enum(channelFieldNames),
            like: z.string().check(z.refine((text) => channelPatternEntry(text) !== null)),
          }),
        )
        .check(z.minLength(1), z.maxLength(MAX_CHANNEL_CONDITIONS)),
    }),
  )
  .check(z.maxLength(MAX_CHANNEL_RULES));
const primaryHost = z.string().check(z.refine((text) => text === '' || primaryHostEntry(text) !== null));

/** Proposed rules; absent ones are unchanged. */
export const readingChange = z.object({
  pathRules: z.optional(pathRulesChange),
  primaryHost: z.optional(primaryHost),
  otherHosts: z.optional(entries(hostEntry)),
  channelRules: z.optional(channelRulesChange),
});
export type ReadingChange = z.infer<typeof readingChange>;

const timeZone = z
  .string()
  .check(z.maxLength(100), z.refine(isTimeZone, 'Unknown time zone. Use an IANA name, e.g. America/Sao_Paulo.'));
const weekStart = z.union([z.literal(0), z.literal(1)]);

/** Bounds of retention, days: comparisons need at least a week, and more than fifty years is a mistake. */
export const MIN_RETENTION = 7;
export const MAX_RETENTION = 18_250;

export const newProjectInput = z.object({
  name: shownName,
  timeZone,
  weekStart,
  decimalSeparator: z.optional(z.enum(decimalSeparators)),
});
export type NewProjectInput = z.infer<typeof newProjectInput>;

/** Changed settings; absent ones are unchanged. Unknown names are ignored. */
export const projectChange = z.object({
  name: z.optional(shownName),
  timeZone: z.optional(timeZone),
  weekStart: z.optional(weekStart),
  settings: z._default(
    z.object({
      ...ofAll(switchNames, () => z.optional(z.boolean())),
      ...ofAll(listNames, (name) => z.optional(entries(listSettings[name].entry))),
      ipHandling: z.optional(z.enum(['none', 'truncated', 'full'])),
      bots: z.optional(z.enum(['flagged', 'dropped'])),
      bounceSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_BOUNCE))),
      decimalSeparator: z.optional(z.enum(decimalSeparators)),
      retentionDays: z.optional(z.nullable(z.int().check(z.minimum(MIN_RETENTION), z.maximum(MAX_RETENTION)))),
      replay: z.optional(replayChange),
      groupingRules: z.optional(groupingRules),
      suppressionRules: z.optional(suppressionRules),
      ...readingChange.shape,
    }),
    {},
  ),
});
export type ProjectChange = z.infer<typeof projectChange>;

export const rotateInput = z.object({ graceHours: z.union(graceHours.map((hours) => z.literal(hours))) });
export const tokenInput = z.object({ token: z.string().check(z.refine((text) => tokenEntry(text) !== null)) });

export interface ProjectToken {
  token: string;
  /** `current`: the one we made last, which snippets show. `replaced`: one before it. `added`: brought along from elsewhere. */
  kind: 'current' | 'replaced' | 'added';
  createdAt: number;
  /** Set: accepted up to then, ms. */
  acceptedUntil: number | null;
}

export const secretRef = z.object({ secret: rowId });

/** A secret key of a project, with which servers read flag definitions. The key itself is shown once. */
export interface ProjectSecret {
  id: number;
  /** Its first characters. */
  hint: string;
  createdAt: number;
  /** ms, to five minutes; null: not yet. */
  lastUsedAt: number | null;
  /** Set: it was replaced, and is accepted up to then, ms. */
  acceptedUntil: number | null;
}

/** A project as its settings screen sees it. */
export interface ProjectConfiguration {
  id: number;
  name: string;
  timeZone: string;
  weekStart: 0 | 1;
  builtIn: boolean;
  deletesAt: number | null;
  settings: ProjectSettings;
  tokens: ProjectToken[];
  secretKeys: ProjectSecret[];
}
