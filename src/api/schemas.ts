/**
 * What the public API takes and gives. From these schemas requests are read, answers are made (what is not in them does not leave), and the
 * description at `/api/openapi.json` is written. Times are milliseconds since 1970, as everywhere in the program. One list, though it is long:
 * answers are made of each other, and the names of the description are theirs.
 */
import * as z from 'zod';
import { filters as filtersOfQuestions } from '#src/columns/contract.ts';
import type { Annotation as AnnotationAnswer } from '#src/insights/annotations/contract.ts';
import type {
  Breakdown as BreakdownAnswer,
  Overview as OverviewAnswer,
  ResolvedRange as ResolvedRangeAnswer,
} from '#src/insights/contract.ts';
import {
  breakdownColumns,
  breakdownDimensions,
  caveats,
  comparisons,
  goalPers,
  intervals,
  rangePresets,
} from '#src/insights/contract.ts';
import type { GoalFigures as GoalFiguresAnswer } from '#src/insights/goals/contract.ts';
import { goalKinds } from '#src/insights/goals/contract.ts';
import { sortColumns } from '#src/insights/kinds/breakdown/rows/contract.ts';
import type { Hours as HoursAnswer } from '#src/insights/kinds/heatmap/contract.ts';
import { type Vitals as VitalsAnswer, vitalNames, vitalPercentiles } from '#src/insights/kinds/vitals/contract.ts';
import { vitalColumns } from '#src/insights/kinds/vitals/pages/contract.ts';
import { peopleAsked } from '#src/insights/query/people/contract.ts';
import { isMoment } from '#src/kit/place.ts';
import { MOST_ROW_ID } from '#src/kit/row.ts';
import { roles } from '#src/projects/contract.ts';
import { asJson } from './json.ts';

export const ms = z.number().meta({ description: 'Milliseconds since 1970-01-01T00:00Z.', example: 1_763_564_400_000 });

export const ofSegment = {
  description: 'Number of a segment, shared or of the owner of the key: its filters have to be fulfilled too.',
};

/** A time in an address, as ISO 8601 or in ms. */
const moment = z
  .string()
  .max(40)
  .meta({
    description: 'ISO 8601 (UTC unless it says otherwise), or milliseconds since 1970.',
    example: '2026-11-19T15:00:00Z',
  })
  .transform((text, context): number => {
    const isNumber = /^-?\d{1,15}$/.test(text);
    const isIso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text);
    const isLocal = isIso && text.length > 10 && !/(Z|[+-]\d{2}:\d{2})$/.test(text);
    const at = isNumber ? Number(text) : isIso ? Date.parse(isLocal ? `${text}Z` : text) : Number.NaN;
    if (isMoment(at)) return at;
    context.addIssue({
      code: 'custom',
      message: 'Give a time as 2026-11-19T15:00:00Z, or in milliseconds since 1970.',
    });
    return z.NEVER;
  });

/** As in an address. */
const rowId = z.coerce.number().int().min(0).max(MOST_ROW_ID);
const limit = z.coerce.number().int().min(1).max(1000).default(100).meta({ description: 'How many at most.' });

const after = z.string().max(100).optional().meta({ description: '`next` of the page before.' });

const next = z
  .string()
  .nullable()
  .meta({ description: 'Where the next page begins, for `after`; null: that was all.' });

const project = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Number of the project, or one of its tokens.', example: '2' });

/** Of whatever version: clients choose those of their events. */
const uuid = z.guid().meta({ override: { type: 'string', format: 'uuid' } });
const date = z.iso.date().meta({ override: { type: 'string', format: 'date' } });
const properties = z.record(z.string(), z.unknown()).meta({ description: 'Whatever was sent: names and JSON values.' });

export const nothing = z.strictObject({});
export const projectPath = z.strictObject({ project });
export const eventPath = z.strictObject({ project, ts: moment, uuid });
export const personPath = z.strictObject({ project, uuid });

export const eventsQuery = z.strictObject({
  event: z.string().min(1).max(400).optional().meta({ description: 'Only events of this name.', example: '$pageview' }),
  from: moment.optional(),
  to: moment.optional(),
  person: uuid.optional(),
  distinctId: z.string().min(1).max(400).optional(),
  limit,
  after,
});

export const personsQuery = z.strictObject({
  search: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .meta({ description: 'A distinct id, or an e-mail address in any case; without it everybody who has a profile.' }),
  limit,
  after,
});

/** The same conditions as on the screens: what they may be is for the schema of the questions to say. */
const filters = asJson(filtersOfQuestions, {
  description:
    'Conditions as JSON; without them everything but bots and the team’s own traffic. Those about persons need the scope `persons:read`.',
  example: '{"match":"all","of":[{"about":"event","name":"$pathname","operator":"is","values":["/"]}]}',
  wrong: 'These are not filters.',
});

const people = asJson(peopleAsked, {
  description:
    'Whose events count, as JSON: who did something so often in a range, or was first seen in one; without it everybody’s. Sets by properties, and lists, need the scope `persons:read`.',
  example: '{"match":"all","of":[{"did":{"event":"purchase"},"times":2,"within":"last_90_days"}]}',
  wrong: 'This is no set of people.',
});

const takenIn = (what: string) =>
  z
    .enum(['include'])
    .optional()
    .meta({ description: `\`include\`: ${what} counts too. Without it, it is left out of every number.` });

const range = {
  range: z
    .enum(rangePresets)
    .optional()
    .meta({ description: 'A stretch of time; `last_28_days` unless dates are given.' }),
  from: date.optional().meta({ description: 'First date in the time zone of the project, instead of `range`.' }),
  to: date.optional().meta({ description: 'Last date, included.' }),
  compare: z.enum(comparisons).optional().meta({ description: 'With which stretch of time; `none` without it.' }),
  compareFrom: date.optional().meta({ description: 'First date to compare with, instead of `compare`.' }),
  compareTo: date.optional().meta({ description: 'Last date to compare with.' }),
  filters,
  people,
  segment: rowId.optional().meta(ofSegment),
  bots: takenIn('bots'),
  internal: takenIn('the team’s own traffic'),
};

const per = z
  .enum(goalPers)
  .optional()
  .meta({ description: 'What the rates of goals are shares of: visitors (without it), or visits.' });

export const overviewQuery = z.strictObject({
  ...range,
  interval: z.enum(intervals).optional(),
  goal: rowId.optional().meta({ description: 'Number of a goal: what was reached of it, and its course.' }),
  per,
});

export const goalsQuery = z.strictObject({ ...range, per });

const { compare: _, compareFrom: __, compareTo: ___, ...oneRange } = range;

export const hoursQuery = z.strictObject(oneRange);

const ordered = <Column extends string>(columns: readonly Column[]) => ({
  sort: z
    .enum([...columns, ...columns.map((column) => `-${column}` as const)])
    .optional()
    .meta({ description: 'Other than by `count`; with `-` before it the other way round.' }),
  find: z.string().max(200).optional().meta({ description: 'Only rows whose value holds this.' }),
  page: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: 'Of `limit` rows each; `found` says how many rows there are.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

export const vitalsQuery = z.strictObject({
  ...oneRange,
  vital: z.enum(vitalNames).default('LCP').meta({ description: 'By which the pages are told.' }),
  percentile: z
    .enum(vitalPercentiles.map(String))
    .default('75')
    .transform(Number)
    .meta({ description: 'How many of a hundred measurements are at most the values.' }),
  ...ordered(vitalColumns),
});

export const breakdownQuery = z.strictObject({
  ...range,
  dimension: z.enum(breakdownDimensions),
  ...ordered(sortColumns),
  more: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => (text === 'true' ? true : undefined))
    .meta({ description: 'With further columns: of pages entries, bounces and exits, of visits bounces and seconds.' }),
  goal: rowId.optional().meta({
    description: 'Number of a goal. With `more`, pages and visits tell what was reached of it.',
  }),
});

export const annotationPath = z.strictObject({ project, annotation: rowId });
export const annotationsQuery = z.strictObject({ from: range.from, to: range.to });

export const NewAnnotation = z
  .strictObject({
    text: z.string().meta({ description: 'One line of at most 400 characters.', example: 'Release 2.4' }),
    day: date.optional().meta({ description: 'A date in the time zone of the project.' }),
    at: z.union([ms, moment]).optional().meta({ description: 'A moment; without `day` and `at` it is now.' }),
    url: z.string().optional().meta({ description: 'More about it.', example: 'https://example.com/releases/2.4' }),
  })
  .meta({ id: 'NewAnnotation' });

export const Annotation = z
  .object({
    id: z.int(),
    day: z.string().nullable().meta({ description: 'Null: of a moment.' }),
    at: ms.meta({ description: 'The moment, or the first of the date.' }),
    text: z.string(),
    url: z.string().nullable(),
  })
  .meta({ id: 'Annotation' });
Annotation satisfies z.ZodType<AnnotationAnswer>;

export const Annotations = z.object({ annotations: z.array(Annotation) }).meta({ id: 'Annotations' });

export const Project = z
  .object({
    id: z.int(),
    name: z.string(),
    timeZone: z.string().meta({ example: 'America/Sao_Paulo' }),
    weekStart: z.union([z.literal(0), z.literal(1)]).meta({ description: '0 Sunday, 1 Monday.' }),
    team: z.object({ id: z.int(), name: z.string() }),
    role: z.enum(roles).meta({ description: 'Of the owner of the key, now.' }),
  })
  .meta({ id: 'Project' });

export const Projects = z.object({ projects: z.array(Project) }).meta({ id: 'Projects' });

export const Event = z
  .object({
    uuid,
    event: z.string(),
    ts: ms,
    receivedAt: ms,
    distinctId: z.string(),
    person: uuid,
    session: uuid.nullable(),
    properties,
    marks: z.array(z.string()).meta({ description: 'What is special about it, as `bot`.' }),
  })
  .meta({ id: 'Event' });

export const Events = z.object({ events: z.array(Event), next }).meta({ id: 'Events' });

export const Person = z
  .object({
    uuid,
    identified: z.boolean(),
    createdAt: ms,
    distinctIds: z.array(z.string()).meta({ description: 'At most 1,000.' }),
    properties,
  })
  .meta({ id: 'Person' });

export const Persons = z.object({ persons: z.array(Person), next }).meta({ id: 'Persons' });

export const number = z.number().nullable();

export const ResolvedRange = z
  .object({ from: ms, to: ms, fromDate: z.string(), toDate: z.string(), until: ms.nullable() })
  .meta({ id: 'Range', description: '`until` is set while the range is not over: up to there it is counted.' });
ResolvedRange satisfies z.ZodType<ResolvedRangeAnswer>;

const MetricValue = z
  .object({
    value: number,
    before: number,
    parts: z.object({ numerator: z.number(), denominator: z.number() }).exactOptional(),
    median: number.exactOptional().meta({ description: 'Of the visit duration: the middle one.' }),
  })
  .meta({ id: 'MetricValue' });

function byMetric<Value extends z.ZodType>(value: Value) {
  return z.object({
    visitors: value,
    visits: value,
    views: value,
    viewsPerVisit: value,
    bounceRate: value,
    visitDuration: value,
  });
}

const Revenue = z
  .object({
    currency: z
      .string()
      .meta({ description: 'Three letters; empty for events that do not say which.', example: 'BRL' }),
    sum: MetricValue,
    count: z.int().meta({ description: 'Events that say an amount.' }),
  })
  .meta({ id: 'Revenue' });

const goalFigure = {
  conversions: MetricValue,
  people: MetricValue,
  visits: MetricValue.nullable().meta({ description: 'Visits in which it was reached; with `per=visit`.' }),
  rate: MetricValue.meta({
    description:
      'Visitors who reached it, of all visitors; with `per=visit` visits in which it was reached, of all visits.',
  }),
  revenue: z.array(Revenue),
};
const course = z.array(number);
const goalCourse = z.object({ conversions: course, rate: course });

const OverviewGoal = z
  .object({
    ...{ id: z.int(), name: z.string(), per: z.enum(goalPers), ...goalFigure },
    ...{ series: goalCourse, comparisonSeries: goalCourse.nullable() },
    revenueSeries: z.array(z.object({ currency: z.string(), series: course, comparisonSeries: course.nullable() })),
  })
  .meta({ id: 'OverviewGoal' });

const rare = z.array(z.string()).meta({
  description: 'Properties of the filters that hardly any event has: rows are read for them, which takes longer.',
});

export const GoalFigures = z
  .object({
    range: ResolvedRange,
    comparison: ResolvedRange.nullable(),
    rare,
    per: z.enum(goalPers),
    visitors: MetricValue,
    visits: MetricValue.nullable().meta({ description: 'All of them, with `per=visit`.' }),
    goals: z.array(z.object({ id: z.int(), name: z.string(), kind: z.enum(goalKinds), ...goalFigure })),
  })
  .meta({ id: 'GoalFigures' });
GoalFigures satisfies z.ZodType<GoalFiguresAnswer>;

const counts = z.array(z.array(z.int()));

export const Hours = z
  .object({
    ...{ timeZone: z.string(), weekStart: z.union([z.literal(0), z.literal(1)]), range: ResolvedRange, rare },
    visitors: counts.meta({ description: 'For each weekday (Sunday first) its 24 hours: people, each once.' }),
    views: counts,
    dates: z.array(z.int()).meta({ description: 'How many dates of each weekday were counted.' }),
    datesByHour: counts.meta({
      description: 'On how many dates each hour had begun, and was not over before the first event.',
    }),
  })
  .meta({ id: 'Hours' });
Hours satisfies z.ZodType<HoursAnswer>;

const vital = {
  value: number.meta({ description: 'At the percentile that was asked for: ms, of CLS without a unit.' }),
  ...{ samples: z.int(), good: z.int(), poor: z.int(), rating: z.enum(['good', 'fair', 'poor']).nullable() },
};

export const Vitals = z
  .object({
    range: ResolvedRange,
    percentile: z.literal(vitalPercentiles),
    rare,
    vitals: z.record(z.enum(vitalNames), z.object(vital)),
    pages: z.array(z.object({ page: z.string(), host: z.string().optional(), ...vital })),
    found: z.int(),
    others: z.object({ pages: z.int(), samples: z.int() }),
  })
  .meta({ id: 'Vitals' });
Vitals satisfies z.ZodType<VitalsAnswer>;

const views = z.object({ bots: z.int(), internal: z.int() });

export const Overview = z
  .object({
    timeZone: z.string(),
    range: ResolvedRange,
    comparison: ResolvedRange.nullable(),
    interval: z.enum(intervals),
    allowedIntervals: z.array(z.enum(intervals)),
    metrics: byMetric(MetricValue),
    starts: z.array(ms),
    running: z.int().nullable(),
    series: byMetric(z.array(number)),
    comparisonStarts: z.array(ms),
    comparisonSeries: byMetric(z.array(number)).nullable(),
    excluded: views.meta({ description: 'Views that are left out: by bots, and of the team.' }),
    included: views.meta({ description: 'Views of those kinds that are in, since they were asked for.' }),
    caveats: z.array(z.enum(caveats)).meta({
      description:
        'What makes a number another than it seems. visitorDays: some visitors may have been counted without storage, as another each day. noClicks, noLeaves: none is recorded, so the bounce rate may be too high.',
    }),
    rare,
    goal: OverviewGoal.nullable(),
  })
  .meta({ id: 'Overview' });
Overview satisfies z.ZodType<OverviewAnswer>;

export const Breakdown = z
  .object({
    dimension: z.enum(breakdownDimensions),
    cols: z.array(z.enum(breakdownColumns)).meta({ description: 'What stands in a row: the first four always.' }),
    rows: z.array(z.tuple([z.string(), z.number(), z.number(), number], z.union([number, z.string()]))),
    total: z.number(),
    found: z.int().meta({ description: 'Rows that hold what is looked for; without it all.' }),
    others: z.object({ values: z.number(), count: z.number() }),
    rare,
  })
  .meta({ id: 'Breakdown' });
Breakdown satisfies z.ZodType<BreakdownAnswer>;

export const Problem = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'One of docs/error-codes.md.', example: 'not_found' }),
      message: z.string(),
      requestId: z.string(),
      field: z.string().exactOptional(),
    }),
  })
  .meta({ id: 'Problem' });
