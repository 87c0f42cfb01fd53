/** Experiments: which variant of a feature flag does better, and what was decided. Owner of `experiments`. */
import type { NoteChange } from '#src/accounts/note-change.ts';
import type { Author, Flags } from '#src/flags/flags.ts';
import type { Insights } from '#src/insights/insights.ts';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sqlState } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import {
  type Experiment,
  type ExperimentChange,
  type ExperimentDefinition,
  type ExperimentEnd,
  type ExperimentInput,
  type ExperimentResult,
  experimentDefinition,
} from './contract.ts';
import { measuredIn, summedIn } from './measure.ts';
import * as queries from './queries.ts';
import { resultOf, type Variant, variantsDuring, variantsOf } from './results.ts';
import { MAX_ARMS, MAX_EXPERIMENTS, type SegmentName } from './values.ts';

type ExperimentProject = Parameters<Insights['query']>[1] & { id: ProjectId };

/** Who decides, with the entries in the log of the team. */
export interface Decider {
  id: number;
  name: string;
  note: NoteChange;
  /** Of the flag, when a variant is shipped. */
  noteFlag: NoteChange;
}

export interface Experiments {
  /** Running ones first, then the last started. */
  list(project: Pick<ExperimentProject, 'id'>): Promise<Experiment[]>;
  /** @throws AppError `not_found` */
  get(project: Pick<ExperimentProject, 'id'>, id: number): Promise<Experiment>;
  /** @throws AppError `not_found`, `conflict` when its flag is gone or has too few variants, `timeout` */
  result(project: ExperimentProject, id: number, segment?: SegmentName): Promise<ExperimentResult>;
  /** Begins now. @throws AppError `invalid`, `conflict` when the flag has a running one, or there are too many */
  create(project: ExperimentProject, input: ExperimentInput, by: Omit<Decider, 'noteFlag'>): Promise<Experiment>;
  /** @throws AppError `not_found`, `invalid`, `conflict` when it has ended */
  change(
    project: ExperimentProject,
    id: number,
    change: ExperimentChange,
    by: Omit<Decider, 'noteFlag'>,
  ): Promise<Experiment>;
  /** Ends it, and gives a variant to everybody who gets the flag. @throws AppError as `change` */
  end(project: ExperimentProject, id: number, end: ExperimentEnd, by: Decider): Promise<Experiment>;
  /** @throws AppError `not_found` */
  remove(project: Pick<ExperimentProject, 'id'>, id: number, by: Omit<Decider, 'noteFlag'>): Promise<void>;
}

/** Enters an experiment that began in the past. */
export async function beginExperiment(
  db: Deps['db'],
  projectId: ProjectId,
  input: ExperimentInput,
  startedAt: number,
): Promise<void> {
  await queries.insertExperiment(db, projectId, { ...input, createdBy: 0, startedAt, now: startedAt }, MAX_EXPERIMENTS);
}

const UNIQUE_VIOLATION = '23505';

export function createExperiments(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  {
    insights,
    flags,
  }: { insights: Pick<Insights, 'query' | 'goals'>; flags: Pick<Flags, 'get' | 'change' | 'history'> },
): Experiments {
  async function get({ id: projectId }: Pick<ExperimentProject, 'id'>, id: number): Promise<Experiment> {
    const row = await queries.experimentOf(db, projectId, id);
    if (row === null) throw notFound('experiment');
    return asExperiment(row);
  }

  /** @throws AppError `invalid` for a goal that is not there, or one without an amount where one is summed */
  async function check(project: ExperimentProject, { goal, guardrails }: ExperimentDefinition): Promise<void> {
    for (const [field, metric] of [
      ['goal', goal] as const,
      ...guardrails.map((each) => ['guardrails', each.metric] as const),
    ]) {
      for (const each of measuredIn(metric)) {
        if ('goal' in each && (await insights.goals.get(project, each.goal)) === null) {
          throw invalid(`definition.${field}`, 'Select a goal of this project.');
        }
      }
      for (const each of summedIn(metric)) {
        if ('goal' in each && (await insights.goals.get(project, each.goal))?.amount === null) {
          throw invalid(`definition.${field}`, 'Select a goal with a revenue, or an event and its property.');
        }
      }
    }
  }

  /** @throws AppError `conflict` for too few or too many */
  function checkVariants(found: readonly Variant[]): void {
    if (found.length >= 2 && found.length <= MAX_ARMS) return;
    throw new AppError('conflict', `The flag needs two to ${MAX_ARMS} variants.`, { field: 'variants' });
  }

  async function running(project: ExperimentProject, id: number): Promise<Experiment> {
    const experiment = await get(project, id);
    if (experiment.endedAt !== null) throw new AppError('conflict', 'This experiment has ended.');
    return experiment;
  }

  return {
    list: async ({ id }) => (await queries.experimentsOf(db, id)).map(asExperiment),
    get,
    async result(project, id, segment) {
      const experiment = await get(project, id);
      const { flag } = experiment;
      if (flag === null) throw new AppError('conflict', 'The flag of this experiment was deleted.', { field: 'flag' });
      const stored = await flags.get(project.id, flag.id);
      const given = variantsDuring(experiment, stored, await flags.history(project.id, flag.id));
      checkVariants(given.variants);
      return resultOf({ insights, project, now: clock.now() }, { ...experiment, flag }, given, segment ?? null);
    },
    async create(project, input, by) {
      checkVariants(variantsOf(await flags.get(project.id, input.flag)));
      await check(project, input.definition);
      const now = clock.now();
      const row = { ...input, createdBy: by.id, startedAt: now, now };
      const made = await db
        .transaction(async (trx) => {
          const id = await queries.insertExperiment(trx, project.id, row, MAX_EXPERIMENTS);
          if (id !== null) await by.note(trx, input.name);
          return id;
        })
        .catch((error: unknown) => {
          if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
          throw new AppError('conflict', 'This flag has a running experiment. End it first.', { field: 'flag' });
        });
      if (made === null) {
        throw new AppError(
          'conflict',
          `Limit of ${MAX_EXPERIMENTS} experiments per project reached. Delete one first.`,
        );
      }
      return get(project, made);
    },
    async change(project, id, change, by) {
      await running(project, id);
      await check(project, change.definition);
      await db.transaction(async (trx) => {
        await queries.changeExperiment(trx, project.id, id, { ...change, now: clock.now() });
        await by.note(trx, change.name);
      });
      return get(project, id);
    },
    async end(project, id, { ship, decision }, by) {
      const { flag, name } = await running(project, id);
      // Before the variant is shipped: that is no change of what was compared.
      const now = clock.now();
      if (ship !== null) {
        if (flag === null)
          throw new AppError('conflict', 'The flag of this experiment was deleted.', { field: 'flag' });
        const { definition, version } = await flags.get(project.id, flag.id);
        const { multivariate } = definition.filters;
        const known = multivariate?.variants ?? [];
        if (!known.some(({ key }) => key === ship)) throw invalid('ship', 'Select a variant of the flag.');
        const shares = known.map((each) => ({ ...each, rollout_percentage: each.key === ship ? 100 : 0 }));
        const filters = { ...definition.filters, multivariate: { ...multivariate, variants: shares } };
        const author: Author = { id: by.id, name: by.name, note: by.noteFlag };
        await flags.change(
          project.id,
          flag.id,
          { version, definition: { ...definition, filters }, note: name },
          author,
        );
      }
      await db.transaction(async (trx) => {
        if (!(await queries.endExperiment(trx, project.id, id, { shipped: ship, decision, now }))) {
          throw new AppError('conflict', 'This experiment has ended.');
        }
        await by.note(trx, name);
      });
      return get(project, id);
    },
    async remove(project, id, by) {
      const { name } = await get(project, id);
      await db.transaction(async (trx) => {
        await queries.deleteExperiment(trx, project.id, id);
        await by.note(trx, name);
      });
    },
  };
}

function asExperiment({ flagId, flagKey, definition, ...row }: queries.ExperimentRow): Experiment {
  return {
    ...row,
    flag: flagKey === null ? null : { id: flagId, key: flagKey },
    definition: experimentDefinition.parse(definition),
  };
}
