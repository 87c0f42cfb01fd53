/** Operations of public links of dashboards and insights. */
import { notFound } from '#src/kit/errors.ts';
import { shareSettings } from '#src/sharing/contract.ts';
import type { SharedKind } from '#src/sharing/values.ts';
import { dashboardPath } from './dashboard-schemas.ts';
import { insightPath } from './insight-schemas.ts';
import { type ApiProject, aboutProject, noted, type Operation, type OperationContext } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';
import { NewShareLink, ShareLinkAnswer, ShareLinkPatch, ShareLinks } from './share-schemas.ts';

type SharingRoom = Pick<OperationContext['rooms'], 'sharing'>;

/** @throws AppError `not_found` without one */
async function linkOf({ sharing }: SharingRoom, reached: ApiProject, of: { kind: SharedKind; id: number }) {
  const link = await sharing.get(reached, of);
  if (link === null) throw notFound('link');
  return link;
}

function operationsOf(kind: SharedKind): readonly Operation[] {
  const [name, subject] = kind === 'dashboard' ? ['Dashboard', 'a dashboard'] : ['Insight', 'an insight'];
  const params = kind === 'dashboard' ? dashboardPath : insightPath;
  const path = `/projects/:project/${kind}s/:${kind}/share-link`;
  const of = (given: object) => ({ kind, id: Number((given as Record<string, unknown>)[kind]) });
  const common = { params, query: schemas.nothing, answer: ShareLinkAnswer, minRole: 'member', path } as const;
  return [
    aboutProject({
      ...common,
      id: `create${name}ShareLink`,
      method: 'post',
      summary: `Create the public link of ${subject}`,
      scope: 'shares:write',
      body: NewShareLink,
      run: (rooms, reached, { params: given, body }) =>
        rooms.sharing.create(reached, of(given), readInput(shareSettings, body), noted(rooms, reached, 'link.created')),
    }),
    aboutProject({
      ...common,
      id: `get${name}ShareLink`,
      summary: `Get the public link of ${subject}`,
      scope: 'shares:read',
      run: (rooms, reached, { params: given }) => linkOf(rooms, reached, of(given)),
    }),
    aboutProject({
      ...common,
      id: `update${name}ShareLink`,
      method: 'patch',
      summary: `Change the public link of ${subject}`,
      scope: 'shares:write',
      body: ShareLinkPatch,
      async run(rooms, reached, { params: given, body }) {
        const { expiresAt, open, filters, language, theme, origins } = await linkOf(rooms, reached, of(given));
        const settings = readInput(shareSettings, { expiresAt, open, filters, language, theme, origins, ...body });
        return rooms.sharing.update(reached, of(given), settings, noted(rooms, reached, 'link.changed'));
      },
    }),
    aboutProject({
      ...common,
      id: `rotate${name}ShareLink`,
      method: 'post',
      path: `${path}/rotate`,
      summary: 'Replace the public link: the one before opens nothing any more',
      scope: 'shares:write',
      body: schemas.nothing,
      run: (rooms, reached, { params: given }) =>
        rooms.sharing.rotate(reached, of(given), noted(rooms, reached, 'link.rotated')),
    }),
    aboutProject({
      ...common,
      id: `revoke${name}ShareLink`,
      method: 'delete',
      summary: 'Turn the public link off and return it',
      scope: 'shares:write',
      async run(rooms, reached, { params: given }) {
        const link = await linkOf(rooms, reached, of(given));
        await rooms.sharing.revoke(reached, of(given), noted(rooms, reached, 'link.revoked'));
        return link;
      },
    }),
  ];
}

export const shareOperations: readonly Operation[] = [
  aboutProject({
    id: 'listShareLinks',
    path: '/projects/:project/share-links',
    summary: 'List public links of a project, without their addresses',
    scope: 'shares:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: ShareLinks,
    run: async ({ sharing }, { project }) => ({ links: await sharing.list([project]) }),
  }),
  ...operationsOf('dashboard'),
  ...operationsOf('insight'),
];
