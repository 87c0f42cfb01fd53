/** Schemas of dashboards in the public API. */
import * as z from 'zod';
import { filters as filterSchema } from '#src/columns/contract.ts';
import type { Dashboard } from '#src/dashboards/contract.ts';
import {
  goalTileMetrics,
  MAX_HEADING,
  MAX_TILE_TEXT,
  MAX_TILES,
  tabletWidths,
  tileHeights,
  tileWidths,
} from '#src/dashboards/values.ts';
import { breakdownDimensions, comparison, overviewMetrics, rangeInput } from '#src/insights/contract.ts';
import { rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { MAX_DESCRIPTION, MAX_INSIGHT_NAME, MAX_TAG, MAX_TAGS } from '#src/insights/saved/values.ts';
import { Insight } from './insight-schemas.ts';
import { projectPath } from './schemas.ts';

export const dashboardPath = projectPath.extend({ dashboard: rowId });

const name = z.string().trim().min(1).max(MAX_INSIGHT_NAME);
const description = z.string().trim().max(MAX_DESCRIPTION);
const tags = z.array(z.string().trim().min(1).max(MAX_TAG)).max(MAX_TAGS);

const size = {
  id: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .meta({ description: 'Unique within the dashboard. You choose it.' }),
  width: z.literal(tileWidths).meta({ description: 'Columns of 12. On phones tiles take the whole width.' }),
  tabletWidth: z
    .literal(tabletWidths)
    .optional()
    .meta({ description: 'Columns of 12 on tablets. Absent: half for a quarter, full for wider tiles.' }),
  height: z.literal(tileHeights).meta({ description: 'Rows.' }),
};

const Tile = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...size,
      kind: z.literal('insight'),
      insight: z.int().meta({ description: 'ID of a saved insight.' }),
      own: z.boolean().optional().meta({ description: 'Keeps the range and filters of the insight.' }),
    }),
    z.strictObject({ ...size, kind: z.literal('metric'), metric: z.enum(overviewMetrics) }),
    z.strictObject({ ...size, kind: z.literal('breakdown'), dimension: z.enum(breakdownDimensions) }),
    z.strictObject({ ...size, kind: z.literal('goals') }),
    z.strictObject({
      ...size,
      kind: z.literal('goal'),
      goal: z.int().meta({ description: 'ID of a goal.' }),
      metric: z.enum(goalTileMetrics),
    }),
    z.strictObject({ ...size, kind: z.literal('heatmap') }).meta({ description: 'Visitors by weekday and hour.' }),
    z.strictObject({ ...size, kind: z.literal('vitals') }).meta({ description: 'Web Vitals.' }),
    z.strictObject({
      ...size,
      kind: z.literal('text'),
      text: z.string().max(MAX_TILE_TEXT).meta({ description: 'Markdown. HTML in it is shown as text.' }),
    }),
    z.strictObject({ ...size, kind: z.literal('heading'), text: z.string().trim().min(1).max(MAX_HEADING) }),
    z.strictObject({ ...size, kind: z.literal('separator') }).meta({ description: 'A line.' }),
  ])
  .meta({ id: 'DashboardTile' });

const content = {
  tiles: z.array(Tile).max(MAX_TILES).meta({ description: 'In their order.' }),
  range: rangeInput,
  compare: comparison,
  filters: filterSchema,
};

const GivenContent = z
  .strictObject({
    tiles: content.tiles,
    range: z.optional(content.range),
    compare: z.optional(content.compare),
    filters: z.optional(content.filters),
  })
  .meta({ id: 'NewDashboardContent' });

export const NewDashboard = z
  .strictObject({ name, description: description.default(''), tags: tags.default([]), content: GivenContent })
  .meta({
    id: 'NewDashboard',
    examples: [
      {
        name: 'Website traffic',
        content: {
          range: 'last_28_days',
          tiles: [
            { id: 'visitors', kind: 'metric', metric: 'visitors', width: 3, height: 1 },
            { id: 'pages', kind: 'breakdown', dimension: 'page', width: 6, height: 2 },
          ],
        },
      },
    ],
  });

export const DashboardPatch = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    tags: tags.optional(),
    content: GivenContent.optional(),
    revision: z.int().optional().meta({ description: 'The revision you read. 409 if there is a newer one.' }),
  })
  .meta({ id: 'DashboardPatch' });

const summary = {
  id: z.int(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  owner: z
    .object({ id: z.int(), name: z.string().nullable() })
    .meta({ description: 'Who created it. `name` is null if the account no longer exists.' }),
  createdAt: ms,
  changedAt: ms,
  favorite: z.boolean().meta({ description: 'Of the API key’s owner.' }),
  viewedAt: ms.nullable().meta({ description: 'When the API key’s owner last opened it.' }),
  tiles: z.int().meta({ description: 'Number of tiles.' }),
};

export const DashboardAnswer = z
  .object({
    ...summary,
    revision: z.int(),
    content: z.object({
      tiles: content.tiles,
      range: content.range,
      compare: content.compare,
      filters: z.optional(content.filters),
    }),
    insights: z
      .array(Insight)
      .meta({ description: 'Of the tiles. Those that were deleted or are hidden are left out.' }),
  })
  .meta({ id: 'Dashboard' });
DashboardAnswer satisfies z.ZodType<Dashboard>;

export const DashboardList = z
  .object({ dashboards: z.array(z.object(summary).meta({ id: 'DashboardSummary' })) })
  .meta({ id: 'Dashboards' });
