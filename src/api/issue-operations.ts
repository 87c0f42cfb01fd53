/** Operations of errors. */
import { issueChange, sourceMapInput } from '#src/errors/contract.ts';
import { MAX_MAP_BYTES } from '#src/errors/values.ts';
import { invalid } from '#src/kit/errors.ts';
import {
  IssueAnswer,
  IssueList,
  IssueOccurrence,
  IssuePatch,
  issuePath,
  issuesQuery,
  SourceMap,
  sourceMapQuery,
} from './issue-schemas.ts';
import { aboutProject, type Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

export const issueOperations: readonly Operation[] = [
  aboutProject({
    id: 'listIssues',
    path: '/projects/:project/issues',
    summary: 'List issues of errors, last seen first',
    scope: 'errors:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: issuesQuery,
    answer: IssueList,
    run: ({ errors }, { project }, { query }) => errors.list(project, query),
  }),
  aboutProject({
    id: 'getIssue',
    path: '/projects/:project/issues/:issue',
    summary: 'Get an issue: why it is one, where it happens, what was done',
    scope: 'errors:read',
    minRole: 'member',
    params: issuePath,
    query: schemas.nothing,
    answer: IssueAnswer,
    run: ({ errors }, { project }, { params }) => errors.get(project, params.issue),
  }),
  aboutProject({
    id: 'getIssueOccurrence',
    path: '/projects/:project/issues/:issue/latest',
    summary: 'Get the newest occurrence of an issue with its stack trace',
    scope: 'errors:read',
    minRole: 'member',
    params: issuePath,
    query: schemas.nothing,
    answer: IssueOccurrence,
    run: ({ errors }, { project }, { params }) => errors.occurrence(project, params.issue),
  }),
  aboutProject({
    id: 'updateIssue',
    method: 'patch',
    path: '/projects/:project/issues/:issue',
    summary: 'Resolve, ignore, reopen or assign an issue',
    scope: 'errors:write',
    minRole: 'member',
    params: issuePath,
    query: schemas.nothing,
    body: IssuePatch,
    answer: IssueAnswer,
    async run({ errors }, { project, reader }, { params, body: { status, assignee, ...options } }) {
      if (status === undefined && assignee === undefined) throw invalid('status', 'Set `status` or `assignee`.');
      const to = status === undefined ? null : readInput(issueChange, { to: status, ...options });
      const assigned = assignee === undefined ? null : readInput(issueChange, { to: 'assigned', assignee });
      for (const change of [assigned, to]) {
        if (change !== null) await errors.change(project, [params.issue], change, reader.id);
      }
      return errors.get(project, params.issue);
    },
  }),
  aboutProject({
    id: 'uploadSourceMap',
    method: 'post',
    path: '/projects/:project/source-maps',
    summary: 'Upload the source map of a script',
    scope: 'source-maps:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: sourceMapQuery,
    file: { maxBytes: MAX_MAP_BYTES, description: 'The source map, as it was built. At most 32 MB.' },
    answer: SourceMap,
    run: ({ errors }, { project }, { query, file }) =>
      errors.upload(project.id, readInput(sourceMapInput, query), file),
  }),
];
