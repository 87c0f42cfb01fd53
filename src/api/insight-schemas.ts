/** Schemas of saved insights in the public API. */
import * as z from 'zod';
import { MAX_GROUP_TYPES } from '#src/columns/values.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import {
  MAX_DESCRIPTION,
  MAX_INSIGHT_NAME,
  MAX_TAG,
  MAX_TAGS,
  QUERY_VERSION,
  savedKinds,
} from '#src/insights/saved/values.ts';
import { projectPath } from './schemas.ts';

export const insightPath = projectPath.extend({ insight: rowId });

const kind = z.enum(savedKinds);
const name = z.string().trim().min(1).max(MAX_INSIGHT_NAME);
const description = z.string().trim().max(MAX_DESCRIPTION);
const tags = z.array(z.string().trim().min(1).max(MAX_TAG)).max(MAX_TAGS);
const query = z.record(z.string(), z.unknown()).meta({
  description: 'The query, as `POST /projects/:project/query/{kind}` takes it, without `segment`.',
});
const display = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).meta({
  description: 'How the screen draws the result (`chart` and the like). Numbers do not depend on it.',
});

export const insightsQuery = z.strictObject({
  search: z.string().max(200).optional().meta({ description: 'Words of name, description, tags or owner.' }),
  kind: kind.optional(),
  tag: z.string().max(MAX_TAG).optional(),
  event: z.string().max(400).optional().meta({ description: 'Only insights whose query names this event.' }),
  groupType: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_GROUP_TYPES - 1)
    .optional()
    .meta({ description: 'With `groupKey`: only insights whose query names this group. 0 for `group_0`.' }),
  groupKey: z.string().min(1).max(400).optional(),
  archived: z.enum(['true', 'false']).default('false'),
  limit: z.coerce.number().int().min(1).max(100).default(100),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
});

const Definition = z
  .strictObject({
    kind,
    version: z.int().min(1).max(QUERY_VERSION).default(QUERY_VERSION).meta({
      description: 'Version of the query. Older versions are converted when they are opened.',
    }),
    query,
    segment: z.int().optional().meta({ description: 'ID of a shared segment that the query is within.' }),
    display: display.default({}),
  })
  .meta({ id: 'InsightDefinition' });

export const NewInsight = z
  .strictObject({
    name,
    description: description.default(''),
    tags: tags.default([]),
    definition: Definition,
  })
  .meta({
    id: 'NewInsight',
    examples: [
      {
        name: 'Orders by week',
        tags: ['shop'],
        definition: {
          kind: 'trends',
          query: { range: 'last_90_days', interval: 'week', series: [{ event: { event: 'order_completed' } }] },
        },
      },
    ],
  });

export const InsightPatch = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    tags: tags.optional(),
    definition: Definition.optional(),
    revision: z.int().optional().meta({ description: 'The revision you read. 409 if there is a newer one.' }),
    archived: z.literal(false).optional().meta({ description: 'Takes an archived insight out of the archive.' }),
  })
  .meta({ id: 'InsightPatch' });

const Account = z.object({ id: z.int(), name: z.string().nullable() });

const summary = {
  id: z.int(),
  kind,
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  owner: Account.meta({ description: 'Who saved it. `name` is null if the account no longer exists.' }),
  createdAt: ms,
  changedAt: ms,
  archivedAt: ms.nullable().meta({ description: 'Null if it is in use.' }),
  favorite: z.boolean().meta({ description: 'Of the API key’s owner.' }),
  viewedAt: ms.nullable().meta({ description: 'When the API key’s owner last opened it.' }),
  revision: z.int(),
};

export const Insight = z
  .object({ ...summary, version: z.int(), query, segment: z.int().nullable(), display })
  .meta({ id: 'Insight' });
Insight satisfies z.ZodType<SavedInsight>;

export const Insights = z
  .object({ insights: z.array(z.object(summary).meta({ id: 'InsightSummary' })), total: z.int() })
  .meta({ id: 'Insights' });
