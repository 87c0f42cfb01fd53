/** Projects as screens see them, and their settings. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';

/** Roles, from least to most. Who may do what is in this table alone: UI, procedures and tests read it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

declare const projectMark: unique symbol;
/**
 * Number of a project, as this room gave it. What a room answers or changes takes one of these, so that a number that came in with a
 * request does not compile in its place: it has to go through the access check first.
 */
export type ProjectId = number & { readonly [projectMark]: true };

/** Stored as jsonb, parsed with defaults: a new setting needs no migration. */
export const projectSettings = z.object({
  /** Origins whose browsers may send; empty: any. */
  allowedOrigins: z._default(z.array(z.string()), []),
  /** What happens to the visitor's address after the country is known. */
  ipHandling: z._default(z.enum(['none', 'truncated', 'full']), 'truncated'),
  /** Events of programs: stored and left out of the numbers, or not stored. */
  bots: z._default(z.enum(['flagged', 'dropped']), 'flagged'),
  /** The team's own traffic is stored, and left out of the numbers like that of bots: pages of these hosts (`*.` for any host below) … */
  internalHosts: z._default(z.array(z.string()), []),
  /** … visitors from these addresses, single or in CIDR notation … */
  internalAddresses: z._default(z.array(z.string()), []),
  /** … and these distinct ids, or with an `@` in front all that are e-mail addresses of a domain. */
  internalIds: z._default(z.array(z.string()), []),
  /** Nothing is stored of browsers that ask not to be tracked (`DNT: 1`, `Sec-GPC: 1`). */
  respectDnt: z._default(z.boolean(), false),
  cookieless: z._default(z.boolean(), true),
  autocapture: z._default(z.boolean(), true),
  exceptionCapture: z._default(z.boolean(), true),
  webVitals: z._default(z.boolean(), true),
  /** Days after which events are deleted; null: kept. */
  retentionDays: z._default(z.nullable(z.int()), null),
});
export type ProjectSettings = z.infer<typeof projectSettings>;

export interface ProjectSummary {
  id: number;
  name: string;
  team: { id: number; name: string };
  /** Of whoever asks, in the project's team. */
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
}
