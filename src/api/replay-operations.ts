/** Operations of session replay. */
import { rangeInput } from '#src/insights/contract.ts';
import { datesOf } from '#src/insights/query/parameters.ts';
import { forbidden, notFound } from '#src/kit/errors.ts';
import { aboutProject, type Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import { DeletedReplay, ReplayAnswer, ReplayList, replayPath, replaysQuery } from './replay-schemas.ts';
import * as schemas from './schemas.ts';

export const replayOperations: readonly Operation[] = [
  aboutProject({
    id: 'listReplays',
    path: '/projects/:project/replays',
    summary: 'List session recordings, newest first',
    scope: 'replays:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: replaysQuery,
    answer: ReplayList,
    run({ replays }, { project, reader }, { query: { range, from, to, ...asked } }) {
      if (asked.person !== undefined && !project.seesPersons) {
        throw forbidden('This API key is missing the scope persons:read.');
      }
      const dates = datesOf(['from', from], ['to', to]);
      const chosen = readInput(rangeInput, dates ?? range ?? 'last_28_days');
      return replays.list(project, { ...asked, range: chosen }, reader.id);
    },
  }),
  aboutProject({
    id: 'getReplay',
    path: '/projects/:project/replays/:session',
    summary: 'Get what is known of a session recording',
    scope: 'replays:read',
    minRole: 'member',
    params: replayPath,
    query: schemas.nothing,
    answer: ReplayAnswer,
    run: ({ replays }, { project, reader }, { params }) => replays.get(project, params.session, reader.id),
  }),
  aboutProject({
    id: 'deleteReplay',
    method: 'delete',
    path: '/projects/:project/replays/:session',
    summary: 'Delete a session recording with its comments',
    scope: 'replays:write',
    minRole: 'admin',
    params: replayPath,
    query: schemas.nothing,
    answer: DeletedReplay,
    async run({ replays, accounts, deps }, { project, reader, address }, { params: { session } }) {
      if (!(await replays.removeSession(project.id, session))) throw notFound('recording');
      await accounts.audit.note(deps.db, {
        actor: reader,
        action: 'replay.deleted',
        details: { session },
        address,
        teamId: project.teamId,
        projectId: project.id,
      });
      return { session };
    },
  }),
];
