/** Schemas of groups, such as companies, in the public API. */
import * as z from 'zod';
import { MAX_GROUP_TYPES } from '#src/columns/values.ts';
import { ms } from '#src/insights/query/results.ts';
import { GROUP_PAGE, groupSorts, MAX_GROUP_KEY } from '#src/profiles/groups/values.ts';
import { MAX_TEXT_LENGTH } from '#src/profiles/values.ts';
import { projectPath } from './schemas.ts';

const type = z.coerce
  .number()
  .int()
  .min(0)
  .max(MAX_GROUP_TYPES - 1)
  .meta({ description: 'Number of the group type: 0 for `$group_0`.', example: 0 });

export const groupTypePath = projectPath.extend({ type });
export const groupPath = groupTypePath.extend({
  key: z.string().min(1).max(MAX_GROUP_KEY).meta({ description: 'Key of the group.', example: 'acme' }),
});

export const groupsQuery = z.strictObject({
  search: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TEXT_LENGTH)
    .optional()
    .meta({ description: 'Part of a key or of the property `name`, without regard to case and accents.' }),
  sort: z
    .enum(groupSorts)
    .default('seen')
    .meta({ description: 'The latest, or the most, first; keys in their order.' }),
  page: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .meta({ description: `${GROUP_PAGE} groups per page.` }),
});

export const GroupTypes = z
  .object({
    types: z.array(
      z.object({
        type: z.int(),
        name: z.string().meta({ description: 'As events name it.' }),
        singular: z.string(),
        plural: z.string(),
        groups: z.int().meta({ description: 'Groups with properties.' }),
      }),
    ),
  })
  .meta({ id: 'GroupTypes' });

const figures = {
  key: z.string(),
  label: z.string().nullable().meta({ description: 'Its property `name`.' }),
  events: z.int().meta({ description: 'Events of all time, without bots and internal traffic.' }),
  people: z.int().meta({ description: 'People with one of these events.' }),
  firstSeen: ms.nullable(),
  lastSeen: ms.nullable(),
};

export const Groups = z
  .object({ groups: z.array(z.object(figures)), total: z.int() })
  .meta({ id: 'Groups', description: 'Groups with properties or events.' });

export const Group = z
  .object({
    ...figures,
    type: z.int(),
    describedAt: ms.nullable().meta({ description: 'When its first properties were set.' }),
    properties: z.array(z.object({ name: z.string(), value: z.json(), changedAt: ms.nullable() })),
  })
  .meta({ id: 'Group' });
