/** Operations of groups, such as companies. They are read only: events make and describe groups. */
import { Group, Groups, GroupTypes, groupPath, groupsQuery, groupTypePath } from './group-schemas.ts';
import { aboutProject, type Operation } from './operation.ts';
import * as schemas from './schemas.ts';

export const groupOperations: readonly Operation[] = [
  aboutProject({
    id: 'listGroupTypes',
    path: '/projects/:project/groups',
    summary: 'List group types',
    scope: 'persons:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: GroupTypes,
    run: async ({ profiles }, { project }) => ({ types: await profiles.groups.types(project.id) }),
  }),
  aboutProject({
    id: 'listGroups',
    path: '/projects/:project/groups/:type',
    summary: 'List the groups of a type',
    scope: 'persons:read',
    minRole: 'member',
    isHeavy: true,
    params: groupTypePath,
    query: groupsQuery,
    answer: Groups,
    async run({ profiles }, { project }, { params: { type }, query: { search, ...query } }) {
      const asked = { ...query, type, columns: [], ...(search !== undefined && { search }) };
      const { rows, total } = await profiles.groups.list(project.id, asked);
      return { total, groups: rows.map(({ properties: _, ...group }) => group) };
    },
  }),
  aboutProject({
    id: 'getGroup',
    path: '/projects/:project/groups/:type/:key',
    summary: 'Get a group with its properties',
    scope: 'persons:read',
    minRole: 'member',
    isHeavy: true,
    params: groupPath,
    query: schemas.nothing,
    answer: Group,
    run: ({ profiles }, { project }, { params: { type, key } }) => profiles.groups.get(project.id, { type, key }),
  }),
];
