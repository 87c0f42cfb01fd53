/** Operations of errors. */
import { issueChange, rulesChange, sourceMapInput } from '#src/errors/contract.ts';
import { MAX_MAP_BYTES } from '#src/errors/values.ts';
import { filtersRevealPersons, type RangeInput } from '#src/insights/contract.ts';
import { datesOf } from '#src/insights/query/parameters.ts';
import { forbidden, invalid } from '#src/kit/errors.ts';
import {
  ErrorRules,
  ErrorRulesPatch,
  IssueAnswer,
  IssueList,
  IssueMerge,
  IssueMoves,
  IssueOccurrence,
  IssuePatch,
  IssueSplit,
  issuePath,
  issuesQuery,
  movePath,
  SourceMap,
  SplitIssue,
  sourceMapQuery,
  UndoneMove,
} from './issue-schemas.ts';
import { aboutProject, noted, type Operation } from './operation.ts';
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
    async run({ errors }, { project }, { query: { range, from, to, filters, ...asked } }) {
      if (!project.seesPersons && filtersRevealPersons(filters))
        throw forbidden('You may not query data about persons.');
      const dates = datesOf(['from', from], ['to', to]);
      if (dates && range !== undefined) throw invalid('range', 'Use either `range`, or `from` and `to`.');
      const chosen = dates ?? range;
      const scope = { ...(chosen !== undefined && { range: chosen as RangeInput }), ...(filters && { filters }) };
      return errors.list(project, { ...asked, ...scope });
    },
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
    async run({ errors }, { project, reader }, { params, body: { status, assignee, date, ...options } }) {
      if (status === undefined && assignee === undefined) throw invalid('status', 'Set `status` or `assignee`.');
      const to =
        status === undefined
          ? null
          : readInput(issueChange, { to: status, ...options, ...(date !== undefined && { until: date }) });
      const assigned = assignee === undefined ? null : readInput(issueChange, { to: 'assigned', assignee });
      for (const change of [assigned, to]) {
        if (change !== null) await errors.change(project, [params.issue], change, reader.id);
      }
      return errors.get(project, params.issue);
    },
  }),
  aboutProject({
    id: 'mergeIssues',
    method: 'post',
    path: '/projects/:project/issues/:issue/merge',
    summary: 'Merge other issues into an issue',
    scope: 'errors:write',
    minRole: 'member',
    params: issuePath,
    query: schemas.nothing,
    body: IssueMerge,
    answer: IssueMoves,
    async run({ errors }, { project, reader }, { params, body }) {
      return { moves: await errors.merge(project.id, [params.issue, ...body.issues], reader.id) };
    },
  }),
  aboutProject({
    id: 'splitIssue',
    method: 'post',
    path: '/projects/:project/issues/:issue/split',
    summary: 'Move fingerprints of an issue to a separate issue',
    scope: 'errors:write',
    minRole: 'member',
    params: issuePath,
    query: schemas.nothing,
    body: IssueSplit,
    answer: SplitIssue,
    run: ({ errors }, { project, reader }, { params, body }) =>
      errors.split(project.id, params.issue, body.fingerprints, reader.id),
  }),
  aboutProject({
    id: 'undoIssueMove',
    method: 'delete',
    path: '/projects/:project/issue-moves/:move',
    summary: 'Undo a merge or a split',
    scope: 'errors:write',
    minRole: 'member',
    params: movePath,
    query: schemas.nothing,
    answer: UndoneMove,
    async run({ errors }, { project, reader }, { params }) {
      await errors.undo(project.id, params.move, reader.id);
      return { undone: true as const };
    },
  }),
  aboutProject({
    id: 'getErrorRules',
    path: '/projects/:project/error-rules',
    summary: 'Get the rules that group and suppress errors',
    scope: 'errors:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: ErrorRules,
    run: ({ errors }, { project }) => errors.rules(project),
  }),
  aboutProject({
    id: 'updateErrorRules',
    method: 'patch',
    path: '/projects/:project/error-rules',
    summary: 'Replace the rules that group or suppress errors',
    scope: 'errors:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: ErrorRulesPatch,
    bodySize: 'large',
    answer: ErrorRules,
    async run(rooms, reached, { body }) {
      const saved = await rooms.errors.saveRules(reached.project, readInput(rulesChange, body));
      await noted(rooms, reached, 'errors.rulesChanged')(rooms.deps.db, reached.project.name);
      return saved;
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
