/** What a project wants its visitors to do: saved rules that work on the past. Owner of `goals`. */
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sqlState } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import {
  type Goal,
  type GoalDraft,
  type GoalInput,
  goalDefinition,
  type KnownForGoals,
  MOST_GOALS,
} from './contract.ts';
import { knownForGoals } from './known.ts';
import * as queries from './queries.ts';
import { ownPatterns, selectionOf } from './selection.ts';

export interface Goals {
  /** In the order of their names. */
  list(project: ProjectId): Promise<Goal[]>;
  /** What goals can be about. */
  known(project: ProjectId): Promise<KnownForGoals>;
  /** Null when the project has none of this number. */
  get(project: ProjectId, id: number): Promise<Goal | null>;
  /** @throws AppError `invalid` for a rule that cannot be, `conflict` when the name is taken or there are too many */
  create(project: ProjectId, input: GoalInput): Promise<Goal>;
  /** @throws AppError as `create`, `not_found` */
  change(project: ProjectId, id: number, input: GoalInput): Promise<Goal>;
  /** @throws AppError `not_found` */
  remove(project: ProjectId, id: number): Promise<void>;
  /** @throws AppError `invalid` for a rule that cannot be */
  check(draft: GoalDraft): Promise<void>;
}

export function createGoals({ db, clock }: Pick<Deps, 'db' | 'clock'>): Goals {
  const check = async ({ rule, amount }: GoalDraft): Promise<void> => {
    selectionOf({ rule, amount });
    const patterns = ownPatterns(rule);
    if (patterns.length === 0) return;
    await queries.tryPatterns(db, patterns).catch((error: unknown) => {
      if (sqlState(error) !== '2201B') throw error;
      throw invalid('filters', 'This is not a pattern: a bracket or a star is out of place.');
    });
  };
  const asStored = async ({ name, rule, amount }: GoalInput): Promise<queries.NewGoal> => {
    await check({ rule, amount });
    return { name, definition: { version: 1, rule, amount }, now: clock.now() };
  };
  return {
    async list(project) {
      return (await queries.goalsOf(db, project)).map(asGoal);
    },
    known: (project) => knownForGoals(db, project),
    async get(project, id) {
      const row = await queries.goalOf(db, project, id);
      return row && asGoal(row);
    },
    async create(project, input) {
      const made = await withOwnName(queries.insertGoal(db, project, await asStored(input), MOST_GOALS));
      if (made === null) throw new AppError('conflict', `A project has ${MOST_GOALS} goals at most: delete one first.`);
      return asGoal(made);
    },
    async change(project, id, input) {
      const changed = await withOwnName(queries.updateGoal(db, project, id, await asStored(input)));
      if (changed === null) throw notFound('goal');
      return asGoal(changed);
    },
    async remove(project, id) {
      if (!(await queries.deleteGoal(db, project, id))) throw notFound('goal');
    },
    check,
  };
}

function asGoal({ id, name, definition, created_at, changed_at }: queries.GoalRow): Goal {
  const { rule, amount } = goalDefinition.parse(definition);
  return { id, name, rule, amount, createdAt: created_at, changedAt: changed_at };
}

const UNIQUE_VIOLATION = '23505';

async function withOwnName<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    throw new AppError('conflict', 'There is a goal of this name already.', { field: 'name' });
  }
}
