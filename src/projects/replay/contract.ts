/** Settings of session replay: how they are stored, and how they are changed. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { MAX_ENTRIES } from '../values.ts';
import {
  MAX_REPLAY_BUDGET,
  MAX_REPLAY_RETENTION,
  MAX_REPLAY_SECONDS,
  replayEventEntry,
  replayMaskings,
  replayModes,
  replayPathEntry,
  selectorEntry,
} from './values.ts';

const texts = () => z._default(z.array(z.string()), []);

export const replaySettings = z.object({
  /**
   * `problems`: sessions with an error, a rage click or a chosen event, and a sample of the others. `sample`: a sample. `all`: every session.
   */
  mode: z._default(z.enum(replayModes), 'off'),
  /** Part of the sessions in the sample, percent. */
  samplePercent: z._default(z.number(), 10),
  /** Sampled sessions that end earlier are not sent. */
  minimumSeconds: z._default(z.int(), 5),
  /** Names of events that start a recording in mode `problems`. */
  events: texts(),
  /** Messages of the console. */
  console: z._default(z.boolean(), true),
  /** Addresses, statuses and durations of requests; never headers or bodies. */
  network: z._default(z.boolean(), true),
  /** `inputs`: what is typed. `text`: all text of the page as well. */
  masking: z._default(z.enum(replayMaskings), 'inputs'),
  /** Elements whose text is masked, by CSS selector … */
  maskSelectors: texts(),
  /** … and those that are not recorded at all. */
  blockSelectors: texts(),
  /** Paths with `*`: sessions are recorded from the first page of `only` on, when there is one … */
  onlyPaths: texts(),
  /** … and pause on these. */
  neverPaths: texts(),
  retentionDays: z._default(z.int(), 30),
  budgetGb: z._default(z.number(), 5),
  /** Viewers may watch; members always may. */
  viewersWatch: z._default(z.boolean(), false),
});
export type ReplaySettings = z.infer<typeof replaySettings>;

export const noReplay: ReplaySettings = replaySettings.parse({});

const entries = (rule: (text: string) => string | null) =>
  z.optional(z.array(z.string().check(z.refine((text) => rule(text) !== null))).check(z.maxLength(MAX_ENTRIES)));

/** Changed settings; absent ones are unchanged. */
export const replayChange = z.object({
  mode: z.optional(z.enum(replayModes)),
  samplePercent: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
  minimumSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(MAX_REPLAY_SECONDS))),
  events: entries(replayEventEntry),
  console: z.optional(z.boolean()),
  network: z.optional(z.boolean()),
  masking: z.optional(z.enum(replayMaskings)),
  maskSelectors: entries(selectorEntry),
  blockSelectors: entries(selectorEntry),
  onlyPaths: entries(replayPathEntry),
  neverPaths: entries(replayPathEntry),
  retentionDays: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_REPLAY_RETENTION))),
  budgetGb: z.optional(z.number().check(z.minimum(0.1), z.maximum(MAX_REPLAY_BUDGET))),
  viewersWatch: z.optional(z.boolean()),
});
export type ReplayChange = z.infer<typeof replayChange>;
