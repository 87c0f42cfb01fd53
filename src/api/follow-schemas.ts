/** What the public API takes and gives of questions that follow people over time. */
import * as z from 'zod';
import { intervals } from '#src/insights/contract.ts';
import {
  type FunnelAnswer,
  funnelInput,
  type PathsAnswer,
  pathsInput,
  type RetentionAnswer,
  retentionInput,
  type Trends as TrendsAnswer,
  trendsInput,
} from '#src/insights/query/follow/contract.ts';
import { rowId } from '#src/kit/row.ts';
import { ms, number, ofSegment, ResolvedRange } from './schemas.ts';

const segment = { segment: z.optional(rowId).meta(ofSegment) };

export const TrendsQuestion = z.strictObject({ ...trendsInput.shape, ...segment }).meta({ id: 'TrendsQuestion' });
export const FunnelQuestion = z.strictObject({ ...funnelInput.shape, ...segment }).meta({ id: 'FunnelQuestion' });
export const RetentionQuestion = z
  .strictObject({ ...retentionInput.shape, ...segment })
  .meta({ id: 'RetentionQuestion' });
export const PathsQuestion = z.strictObject({ ...pathsInput.shape, ...segment }).meta({ id: 'PathsQuestion' });

const value = z.string().meta({ description: 'Empty for what says nothing of it.' });
const asked = { timeZone: z.string(), range: ResolvedRange };

export const Trends = z
  .object({
    ...asked,
    comparison: ResolvedRange.nullable(),
    interval: z.enum(intervals),
    ...{ starts: z.array(ms), comparisonStarts: z.array(ms), running: z.int().nullable() },
    series: z.array(
      z.object({
        rows: z.array(
          z.object({
            value: value.nullable().meta({ description: 'Null: all values that have no row of their own.' }),
            total: number,
            course: z.array(number),
            before: number.meta({ description: '`total` of the comparison.' }),
            comparisonCourse: z.array(number).nullable(),
            ignored: z.int().meta({ description: 'Events whose property says something else than a number.' }),
          }),
        ),
        values: z.int().meta({ description: 'How many values there are.' }),
      }),
    ),
  })
  .meta({ id: 'Trends' });
Trends satisfies z.ZodType<TrendsAnswer>;

const took = { meanSeconds: number, medianSeconds: number };

const FunnelRow = z
  .object({
    value: value.nullable().meta({ description: 'Null: all values that have no row of their own, or all together.' }),
    steps: z.array(
      z.object({
        count: z.int().meta({ description: 'Who came at least so far.' }),
        ofFirst: number,
        ofBefore: number,
        ...took,
      }),
    ),
    ...took,
  })
  .meta({ id: 'FunnelRow' });

export const Funnel = z
  .object({
    ...asked,
    total: FunnelRow,
    rows: z.array(FunnelRow),
    values: z.int(),
    excluded: z.int().meta({ description: 'Left out, since they did what lies between two steps and must not.' }),
    open: z.int().meta({ description: 'Who did not come to the end, and still can.' }),
  })
  .meta({ id: 'Funnel' });
Funnel satisfies z.ZodType<FunnelAnswer>;

export const Retention = z
  .object({
    ...asked,
    period: z.enum(intervals),
    starts: z.array(ms),
    running: z.int().nullable().meta({ description: 'Which period is not over: its cells are in no mean.' }),
    rows: z.array(
      z.object({
        value,
        cohorts: z.array(
          z.object({
            size: z.int(),
            returned: z.array(z.int()).meta({ description: 'In the same period, one later, and so on.' }),
          }),
        ),
        mean: z.array(number).meta({ description: 'Of all who began.' }),
        simpleMean: z.array(number).meta({ description: 'Of the shares.' }),
      }),
    ),
    values: z.int(),
  })
  .meta({ id: 'Retention' });
Retention satisfies z.ZodType<RetentionAnswer>;

const node = z.string().nullable().meta({ description: 'Null: steps in the middle that are not told of.' });

export const Paths = z
  .object({
    ...asked,
    paths: z.int(),
    edges: z.array(
      z.object({
        step: z.int().meta({ description: 'Of the first of both, from 1 on.' }),
        ...{ from: node, to: node },
        count: z.int().meta({ description: 'Transitions, not people.' }),
        meanSeconds: z.number(),
      }),
    ),
    others: z.object({ edges: z.int(), count: z.int() }),
  })
  .meta({ id: 'Paths' });
Paths satisfies z.ZodType<PathsAnswer>;
