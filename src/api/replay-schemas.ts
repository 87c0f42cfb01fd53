/** Schemas of session replay in the public API. */
import * as z from 'zod';
import { date } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { rangePresets } from '#src/kit/range.ts';
import {
  MAX_REPLAY_PAGE,
  MAX_REPLAY_SEARCH,
  MAX_REPLAY_SECONDS,
  REPLAYS_PER_PAGE,
  replayShows,
  replaySorts,
} from '#src/replays/watching/values.ts';
import { projectPath } from './schemas.ts';

const session = z.guid().meta({ description: 'The `$session_id` of its events.' });

export const replayPath = projectPath.extend({ session });

export const replaysQuery = z.strictObject({
  range: z
    .enum(rangePresets)
    .optional()
    .meta({ description: 'When recordings began. Default: `last_28_days`, unless `from` and `to` are set.' }),
  from: date.optional().meta({ description: 'Start date in the project’s time zone. Use instead of `range`.' }),
  to: date.optional().meta({ description: 'End date (inclusive).' }),
  event: z.string().min(1).max(400).optional().meta({ description: 'Only sessions with this event.' }),
  person: z.uuid().optional().meta({ description: 'Only recordings of this person. Needs the scope `persons:read`.' }),
  search: z.string().trim().max(MAX_REPLAY_SEARCH).optional().meta({
    description: 'Part of a page or, with the scope `persons:read`, of a person’s ID, name or email address.',
  }),
  minSeconds: z.coerce.number().int().min(0).max(MAX_REPLAY_SECONDS).optional(),
  maxSeconds: z.coerce.number().int().min(0).max(MAX_REPLAY_SECONDS).optional(),
  show: z.enum(replayShows).default('all').meta({
    description: '`unwatched`: not watched by the key’s owner. `errors`, `rage`: with console errors, rage clicks.',
  }),
  sort: z.enum(replaySorts).default('newest'),
  page: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_REPLAY_PAGE)
    .default(0)
    .meta({ description: `Pages of ${REPLAYS_PER_PAGE} recordings, from 0.` }),
});

const summary = {
  session,
  person: z
    .object({ uuid: z.string(), identified: z.boolean(), label: z.string().nullable(), distinctId: z.string() })
    .nullable()
    .meta({ description: 'Null: unknown, or the key lacks the scope `persons:read`.' }),
  firstAt: ms,
  lastAt: ms,
  activeSeconds: z.int().meta({ description: 'Seconds with input of the visitor.' }),
  clicks: z.int(),
  keys: z.int(),
  errors: z.int().meta({ description: 'Console errors.' }),
  rageClicks: z.int(),
  pages: z.int(),
  entryPath: z.string().nullable(),
  exitPath: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  width: z.int().nullable().meta({ description: 'Viewport width of the first window, CSS pixels.' }),
  windows: z.int(),
  isWatched: z.boolean(),
};

export const ReplaySummary = z.object(summary).meta({ id: 'ReplaySummary' });

export const ReplayList = z
  .object({
    replays: z.array(ReplaySummary),
    total: z.int().meta({ description: 'Matching recordings on all pages.' }),
    counts: z.object({ unwatched: z.int(), errors: z.int(), rage: z.int() }),
    people: z.int(),
    medianSeconds: z.number().nullable(),
  })
  .meta({ id: 'Replays' });

export const ReplayAnswer = z
  .object({
    ...summary,
    channel: z.string().nullable(),
    isLive: z.boolean().meta({ description: 'Something was recorded within the last minute.' }),
    blocks: z
      .array(
        z.object({
          window: z.string(),
          seq: z.int(),
          fromAt: ms,
          toAt: ms,
          hasFull: z.boolean().meta({ description: 'Begins with a full snapshot.' }),
          bytes: z.int(),
        }),
      )
      .meta({ description: 'Pieces that it is stored in.' }),
  })
  .meta({ id: 'Replay' });

export const DeletedReplay = z.object({ session }).meta({ id: 'DeletedReplay' });
