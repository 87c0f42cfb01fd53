/**
 * Schemas of the public API. They validate requests, filter responses (fields that are not in them are removed), and generate
 * `/api/openapi.json`. Times are milliseconds since 1970, as everywhere in the program. One long list, because
 * schemas refer to each other and name the components of the description.
 */
import * as z from 'zod';
import type { Annotation as AnnotationAnswer } from '#src/insights/annotations/contract.ts';
import { date, rangeParameters, rowId } from '#src/insights/query/parameters.ts';
import { ms } from '#src/insights/query/results.ts';
import { isMoment } from '#src/kit/place.ts';
import { roles } from '#src/projects/contract.ts';

/** A time in an address, as ISO 8601 or in ms. */
const moment = z
  .string()
  .max(40)
  .meta({
    description: 'ISO 8601 (UTC by default) or Unix timestamp in milliseconds.',
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
      message: 'Invalid time. Use ISO 8601 (2026-11-19T15:00:00Z) or milliseconds since 1970.',
    });
    return z.NEVER;
  });

const limit = z.coerce.number().int().min(1).max(1000).default(100).meta({ description: 'Maximum number of results.' });

const after = z.string().max(100).optional().meta({ description: 'Cursor: `next` of the previous page.' });

const next = z.string().nullable().meta({ description: 'Cursor for `after`. Null on the last page.' });

const project = z.string().min(1).max(64).meta({ description: 'Project ID or project token.', example: '2' });

/** A uuid of any version, because clients choose them. */
const uuid = z.guid().meta({ override: { type: 'string', format: 'uuid' } });
const properties = z.record(z.string(), z.unknown()).meta({ description: 'Properties as sent (JSON).' });

export const nothing = z.strictObject({});
export const projectPath = z.strictObject({ project });
export const eventPath = z.strictObject({ project, ts: moment, uuid });
export const personPath = z.strictObject({ project, uuid });

export const eventsQuery = z.strictObject({
  event: z.string().min(1).max(400).optional().meta({ description: 'Filter by event name.', example: '$pageview' }),
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
    .meta({ description: 'Distinct ID or email address (case-insensitive). Default: all people with a profile.' }),
  limit,
  after,
});

export const annotationPath = z.strictObject({ project, annotation: rowId });
export const annotationsQuery = z.strictObject({ from: rangeParameters.from, to: rangeParameters.to });

export const NewAnnotation = z
  .strictObject({
    text: z.string().meta({ description: 'Annotation text. One line, up to 400 characters.', example: 'Release 2.4' }),
    day: date.optional().meta({ description: 'Date in the project’s time zone.' }),
    at: z
      .union([ms, moment])
      .optional()
      .meta({ description: 'Time of the annotation. Default: now, if `day` is not set.' }),
    url: z.string().optional().meta({ description: 'Link with details.', example: 'https://example.com/releases/2.4' }),
  })
  .meta({ id: 'NewAnnotation', examples: [{ text: 'Release 2.4', url: 'https://example.com/releases/2.4' }] });

export const AnnotationPatch = z
  .strictObject({
    text: z.string().optional().meta({ description: 'One line, up to 400 characters.' }),
    day: date.optional().meta({ description: 'Date in the project’s time zone.' }),
    at: z.union([ms, moment]).optional(),
    url: z.string().nullable().optional().meta({ description: 'Null removes it.' }),
  })
  .meta({ id: 'AnnotationPatch', examples: [{ text: 'Release 2.4.1' }] });

export const Annotation = z
  .object({
    id: z.int(),
    day: z.string().nullable().meta({ description: 'Date, or null if the annotation has an exact time.' }),
    at: ms.meta({ description: 'Time, or start of the date.' }),
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
    weekStart: z
      .union([z.literal(0), z.literal(1)])
      .meta({ description: 'First day of the week: 0 Sunday, 1 Monday.' }),
    team: z.object({ id: z.int(), name: z.string() }),
    role: z.enum(roles).meta({ description: 'Current role of the API key’s owner.' }),
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
    marks: z.array(z.string()).meta({ description: 'Flags, e.g. `bot`.' }),
  })
  .meta({ id: 'Event' });

export const Events = z.object({ events: z.array(Event), next }).meta({ id: 'Events' });

export const Person = z
  .object({
    uuid,
    identified: z.boolean(),
    createdAt: ms,
    distinctIds: z.array(z.string()).meta({ description: 'The oldest, at most 1,000.' }),
    distinctIdCount: z.int().meta({ description: 'Number of all distinct IDs.' }),
    properties,
  })
  .meta({ id: 'Person' });

export const PointPeople = z
  .object({
    value: z
      .number()
      .nullable()
      .meta({ description: 'The number itself, counted in the same snapshot as the people.' }),
    people: z.int().meta({ description: 'Number of people behind it.' }),
    found: z.int().meta({ description: 'Number of them that match `search`.' }),
    rows: z.array(
      z.object({
        uuid,
        identified: z.boolean(),
        label: z.string().nullable().meta({ description: 'Name or email property.' }),
        email: z.string().nullable(),
        distinctId: z.string(),
        country: z.string().nullable(),
        events: z.int().meta({ description: 'Events in the range of the query.' }),
        visits: z.int().meta({ description: 'Visits in the range of the query.' }),
        revenue: z.array(z.object({ currency: z.string(), sum: z.number() })).meta({
          description: 'Amounts of goals in the range, by currency.',
        }),
        lastSeen: ms.nullable(),
        times: z.int().meta({ description: 'Events (of paths: transitions) of this person in the number.' }),
        properties: z.record(z.string(), z.json()).meta({ description: 'At most 100; long values are shortened.' }),
      }),
    ),
    groups: z
      .array(
        z.object({
          type: z.int(),
          key: z.string(),
          label: z.string().nullable().meta({ description: 'Its property `name`.' }),
          times: z.int().meta({ description: 'Events of this group in the number.' }),
        }),
      )
      .exactOptional()
      .meta({ description: 'Of a number that counts groups, instead of `rows`.' }),
  })
  .meta({ id: 'PointPeople' });

export const Persons = z.object({ persons: z.array(Person), next }).meta({ id: 'Persons' });

export const Problem = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Error code. See docs/error-codes.md.', example: 'not_found' }),
      message: z.string(),
      requestId: z.string(),
      field: z.string().exactOptional(),
    }),
  })
  .meta({ id: 'Problem' });
