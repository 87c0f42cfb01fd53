/** Operations of experiments and of early access features. */
import type { AuditAction } from '#src/accounts/teams/values.ts';
import { experimentDefinition } from '#src/experiments/contract.ts';
import type { Decider } from '#src/experiments/experiments.ts';
import type { EarlyAccessInput, EarlyAccessRow } from '#src/flags/contract.ts';
import { notFound } from '#src/kit/errors.ts';
import {
  ExperimentAnswer,
  ExperimentEnd,
  ExperimentList,
  ExperimentPatch,
  earlyAccessPath,
  experimentPath,
  FeatureAnswer,
  FeatureList,
  FeaturePatch,
  NewExperiment,
  NewFeature,
  ResultAnswer,
  resultQuery,
} from './experiment-schemas.ts';
import { type ApiProject, aboutProject, noted, type Operation, type OperationContext } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

export const experimentOperations: readonly Operation[] = [
  aboutProject({
    id: 'listExperiments',
    path: '/projects/:project/experiments',
    summary: 'List experiments: running ones first, then the last started',
    scope: 'experiments:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: ExperimentList,
    run: async ({ experiments }, { project }) => ({ experiments: await experiments.list(project) }),
  }),
  aboutProject({
    id: 'createExperiment',
    method: 'post',
    path: '/projects/:project/experiments',
    summary: 'Start an experiment on a flag with variants',
    scope: 'experiments:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewExperiment,
    answer: ExperimentAnswer,
    run: (rooms, reached, { body: { definition, ...body } }) =>
      rooms.experiments.create(
        reached.project,
        { ...body, definition: readInput(experimentDefinition, definition, 'definition') },
        deciderOf(rooms, reached, 'experiment.started'),
      ),
  }),
  aboutProject({
    id: 'getExperiment',
    path: '/projects/:project/experiments/:experiment',
    summary: 'Get an experiment',
    scope: 'experiments:read',
    minRole: 'viewer',
    params: experimentPath,
    query: schemas.nothing,
    answer: ExperimentAnswer,
    run: ({ experiments }, { project }, { params }) => experiments.get(project, params.experiment),
  }),
  aboutProject({
    id: 'getExperimentResult',
    path: '/projects/:project/experiments/:experiment/result',
    summary: 'Get the result of an experiment so far',
    scope: 'experiments:read',
    minRole: 'viewer',
    isHeavy: true,
    params: experimentPath,
    query: resultQuery,
    answer: ResultAnswer,
    run: ({ experiments }, { project }, { params, query }) =>
      experiments.result(project, params.experiment, query.breakdown),
  }),
  aboutProject({
    id: 'updateExperiment',
    method: 'patch',
    path: '/projects/:project/experiments/:experiment',
    summary: 'Change a running experiment',
    scope: 'experiments:write',
    minRole: 'member',
    params: experimentPath,
    query: schemas.nothing,
    body: ExperimentPatch,
    answer: ExperimentAnswer,
    async run(rooms, reached, { params, body: { definition, ...body } }) {
      const { name, hypothesis, definition: before } = await rooms.experiments.get(reached.project, params.experiment);
      const change = {
        name: body.name ?? name,
        hypothesis: body.hypothesis ?? hypothesis,
        definition: definition === undefined ? before : readInput(experimentDefinition, definition, 'definition'),
      };
      const by = deciderOf(rooms, reached, 'experiment.changed');
      return rooms.experiments.change(reached.project, params.experiment, change, by);
    },
  }),
  aboutProject({
    id: 'endExperiment',
    method: 'post',
    path: '/projects/:project/experiments/:experiment/end',
    summary: 'End an experiment, and give a variant to everyone who gets the flag',
    scope: 'experiments:write',
    alsoNeeds: 'flags:write',
    minRole: 'member',
    params: experimentPath,
    query: schemas.nothing,
    body: ExperimentEnd,
    answer: ExperimentAnswer,
    run: (rooms, reached, { params, body }) =>
      rooms.experiments.end(reached.project, params.experiment, body, deciderOf(rooms, reached, 'experiment.ended')),
  }),
  aboutProject({
    id: 'deleteExperiment',
    method: 'delete',
    path: '/projects/:project/experiments/:experiment',
    summary: 'Delete an experiment and return it. The flag stays as it is.',
    scope: 'experiments:write',
    minRole: 'member',
    params: experimentPath,
    query: schemas.nothing,
    answer: ExperimentAnswer,
    async run(rooms, reached, { params }) {
      const experiment = await rooms.experiments.get(reached.project, params.experiment);
      const by = deciderOf(rooms, reached, 'experiment.deleted');
      await rooms.experiments.remove(reached.project, params.experiment, by);
      return experiment;
    },
  }),
  aboutProject({
    id: 'listEarlyAccessFeatures',
    path: '/projects/:project/early-access',
    summary: 'List early access features with the people who turned each on or asked for it',
    scope: 'flags:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: FeatureList,
    run: async ({ flags }, { project }) => ({ features: await flags.earlyAccess.list(project.id) }),
  }),
  aboutProject({
    id: 'createEarlyAccessFeature',
    method: 'post',
    path: '/projects/:project/early-access',
    summary: 'Offer the feature of a flag to people, or replace what is offered of it',
    scope: 'flags:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewFeature,
    answer: FeatureAnswer,
    run: (rooms, reached, { body }) => saveFeature(rooms, reached, body),
  }),
  aboutProject({
    id: 'updateEarlyAccessFeature',
    method: 'patch',
    path: '/projects/:project/early-access/:flag',
    summary: 'Change an early access feature',
    scope: 'flags:write',
    minRole: 'member',
    params: earlyAccessPath,
    query: schemas.nothing,
    body: FeaturePatch,
    answer: FeatureAnswer,
    async run(rooms, reached, { params, body }) {
      const before = await featureOf(rooms, reached, params.flag);
      const { name, description, stage, documentationUrl } = before;
      return saveFeature(rooms, reached, {
        flag: params.flag,
        name: body.name ?? name,
        description: body.description ?? description,
        stage: body.stage ?? stage,
        documentationUrl: body.documentationUrl === undefined ? documentationUrl : body.documentationUrl,
      });
    },
  }),
  aboutProject({
    id: 'deleteEarlyAccessFeature',
    method: 'delete',
    path: '/projects/:project/early-access/:flag',
    summary: 'Stop offering a feature and return it. The flag and what people chose stay.',
    scope: 'flags:write',
    minRole: 'member',
    params: earlyAccessPath,
    query: schemas.nothing,
    answer: FeatureAnswer,
    async run(rooms, reached, { params }) {
      const feature = await featureOf(rooms, reached, params.flag);
      const author = { ...reached.reader, note: noted(rooms, reached, 'flag.withdrawn') };
      await rooms.flags.earlyAccess.remove(reached.project.id, params.flag, author);
      return feature;
    },
  }),
];

type OperationRooms = OperationContext['rooms'];

function deciderOf(rooms: OperationRooms, reached: ApiProject, action: AuditAction): Decider {
  const { id, name } = reached.reader;
  return { id, name, note: noted(rooms, reached, action), noteFlag: noted(rooms, reached, 'flag.changed') };
}

async function saveFeature(
  rooms: OperationRooms,
  reached: ApiProject,
  input: EarlyAccessInput,
): Promise<EarlyAccessRow> {
  const author = { id: reached.reader.id, name: reached.reader.name, note: noted(rooms, reached, 'flag.offered') };
  await rooms.flags.earlyAccess.save(reached.project.id, input, author);
  return featureOf(rooms, reached, input.flag);
}

/** @throws AppError `not_found` */
async function featureOf({ flags }: OperationRooms, { project }: ApiProject, flag: number): Promise<EarlyAccessRow> {
  const found = (await flags.earlyAccess.list(project.id)).find((each) => each.flag === flag);
  if (found === undefined) throw notFound('feature');
  return found;
}
