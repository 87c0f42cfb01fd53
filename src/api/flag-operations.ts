/** Operations of feature flags. */
import type { AuditAction } from '#src/accounts/teams/values.ts';
import { flagDefinition } from '#src/flags/contract.ts';
import { type Author, readFlagRequest } from '#src/flags/flags.ts';
import { AppError, invalid, unavailable } from '#src/kit/errors.ts';
import { Bootstrap, bootstrapQuery, FlagAnswer, FlagList, FlagPatch, flagPath, NewFlag } from './flag-schemas.ts';
import { type ApiProject, aboutProject, noted, type Operation, type OperationContext } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

export const flagOperations: readonly Operation[] = [
  aboutProject({
    id: 'listFlags',
    path: '/projects/:project/flags',
    summary: 'List feature flags, oldest first',
    scope: 'flags:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: FlagList,
    run: async ({ flags }, { project }) => ({ flags: await flags.list(project.id) }),
  }),
  aboutProject({
    id: 'createFlag',
    method: 'post',
    path: '/projects/:project/flags',
    summary: 'Create a feature flag',
    scope: 'flags:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewFlag,
    answer: FlagAnswer,
    run(rooms, reached, { body: { key, description, definition } }) {
      const input = { key, description, definition: readInput(flagDefinition, definition, 'definition') };
      return rooms.flags.create(reached.project.id, input, authorOf(rooms, reached, 'flag.created'));
    },
  }),
  aboutProject({
    id: 'getFlagBootstrap',
    path: '/projects/:project/flags/bootstrap',
    summary: 'Evaluate all flags for a visitor, for the option `bootstrap` of posthog-js',
    scope: 'flags:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: bootstrapQuery,
    answer: Bootstrap,
    async run({ flags }, { project }, { query: { distinctId } }) {
      const { list, hasErrors } = await flags.answer(project, readFlagRequest({ distinct_id: distinctId }, true));
      if (hasErrors && list.length === 0) throw unavailable('Feature flags are unavailable. Retry in a moment.', 1);
      const known = list.filter(({ result }) => !result.failed);
      return {
        distinctID: distinctId,
        featureFlags: Object.fromEntries(known.map(({ key, result }) => [key, result.value])),
        featureFlagPayloads: Object.fromEntries(
          known.flatMap(({ key, payload }) => (payload === null ? [] : [[key, JSON.parse(payload)]])),
        ),
      };
    },
  }),
  aboutProject({
    id: 'getFlag',
    path: '/projects/:project/flags/:flag',
    summary: 'Get a feature flag',
    scope: 'flags:read',
    minRole: 'viewer',
    params: flagPath,
    query: schemas.nothing,
    answer: FlagAnswer,
    run: ({ flags }, { project }, { params }) => flags.get(project.id, params.flag),
  }),
  aboutProject({
    id: 'updateFlag',
    method: 'patch',
    path: '/projects/:project/flags/:flag',
    summary: 'Change a feature flag, or turn it on or off',
    scope: 'flags:write',
    minRole: 'member',
    params: flagPath,
    query: schemas.nothing,
    body: FlagPatch,
    answer: FlagAnswer,
    async run(rooms, reached, { params, body: { active, note, ...change } }) {
      const { id } = reached.project;
      const flag = await rooms.flags.get(id, params.flag);
      const { version = flag.version } = change;
      if (active === undefined) {
        const description = change.description ?? flag.description;
        const definition =
          change.definition === undefined
            ? flag.definition
            : readInput(flagDefinition, change.definition, 'definition');
        const author = authorOf(rooms, reached, 'flag.changed');
        return rooms.flags.change(id, flag.id, { version, description, definition, note }, author);
      }
      if (change.definition !== undefined || change.description !== undefined) {
        throw invalid('active', 'Send `active` alone, or set `definition.active`.');
      }
      if (version !== flag.version)
        throw new AppError('conflict', 'This flag was changed meanwhile.', { field: 'version' });
      const author = authorOf(rooms, reached, active ? 'flag.turnedOn' : 'flag.turnedOff');
      return rooms.flags.setActive(id, flag.id, active, author, note);
    },
  }),
  aboutProject({
    id: 'deleteFlag',
    method: 'delete',
    path: '/projects/:project/flags/:flag',
    summary: 'Delete a feature flag that no other depends on, and return it',
    scope: 'flags:write',
    minRole: 'member',
    params: flagPath,
    query: schemas.nothing,
    answer: FlagAnswer,
    async run(rooms, reached, { params }) {
      const flag = await rooms.flags.get(reached.project.id, params.flag);
      await rooms.flags.remove(reached.project.id, flag.id, authorOf(rooms, reached, 'flag.deleted'));
      return flag;
    },
  }),
];

function authorOf(rooms: OperationContext['rooms'], reached: ApiProject, action: AuditAction): Author {
  return { id: reached.reader.id, name: reached.reader.name, note: noted(rooms, reached, action) };
}
