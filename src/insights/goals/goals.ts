/** Goals of a project: saved rules that also count past events. Owner of `goals`. */

import type { NoteChange } from '#src/accounts/note-change.ts';
import { anyLocale, placeConditions } from '#src/columns/filters/date-times.ts';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sqlState } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import { withOwnName } from '../own-name.ts';
import type { QueryScope } from '../query/scope.ts';
import {
  type Goal,
  type GoalDraft,
  type GoalInput,
  type GoalUses,
  goalDefinition,
  goalRevealsPersons,
  type KnownForGoals,
  MAX_GOALS,
} from './contract.ts';
import { knownForGoals } from './known.ts';
import * as queries from './queries.ts';
import { ownPatterns, selectionOf } from './selection.ts';

type Seen = Pick<QueryScope, 'id' | 'seesPersons'>;

export interface Goals {
  /** Goals visible to the reader, by name. */
  list(project: Seen): Promise<Goal[]>;
  /** Suggestions of events and elements for goals. */
  known(project: ProjectId): Promise<KnownForGoals>;
  /** Null when the project has none of this number for who asks. */
  get(project: Seen, id: number): Promise<Goal | null>;
  /** As `get`, for use in another query. @throws AppError `forbidden` for one that reveals personal data */
  use(project: Seen, id: number): Promise<Goal | null>;
  /** @throws AppError `invalid` for a rule that cannot be, `conflict` when the name is taken or there are too many */
  create(project: ProjectId, input: GoalInput, noted?: NoteChange): Promise<Goal>;
  /** @throws AppError as `create`, `not_found` */
  change(project: ProjectId, id: number, input: GoalInput, noted?: NoteChange): Promise<Goal>;
  /** Uses of a goal. @param user the reader. @throws AppError `not_found` */
  uses(project: ProjectId, id: number, user: number): Promise<GoalUses>;
  /** @throws AppError `not_found`, `conflict` when a segment or an insight uses it */
  remove(project: ProjectId, id: number, noted?: NoteChange): Promise<void>;
  /** @throws AppError `invalid` for a rule that cannot be */
  check(draft: GoalDraft): Promise<void>;
}

export function createGoals({ db, clock }: Pick<Deps, 'db' | 'clock'>): Goals {
  const check = async ({ rule, amount }: GoalDraft): Promise<void> => {
    placeConditions(selectionOf({ rule, amount }), anyLocale); // wherever they lie, they have to be dates
    const patterns = ownPatterns(rule);
    if (patterns.length === 0) return;
    await queries.tryPatterns(db, patterns).catch((error: unknown) => {
      if (sqlState(error) !== '2201B') throw error;
      throw invalid('filters', 'Invalid regular expression. Check the brackets and stars.');
    });
  };
  const asStored = async ({ name, rule, amount }: GoalInput): Promise<queries.NewGoal> => {
    await check({ rule, amount });
    return { name, definition: { version: 3, rule, amount }, now: clock.now() };
  };
  const find = async (project: Seen, id: number): Promise<Goal | null> => {
    const row = await queries.goalOf(db, project.id, id);
    return row && asGoal(row);
  };
  /** Does it and notes it, if it was done; else neither. */
  function inOne<Done>(
    noted: NoteChange | undefined,
    name: string,
    deed: (on: Queryable) => Promise<Done | null>,
  ): Promise<Done | null> {
    return db.transaction(async (trx) => {
      const done = await deed(trx);
      if (done !== null) await noted?.(trx, name);
      return done;
    });
  }
  return {
    async list(project) {
      return (await queries.goalsOf(db, project.id)).map(asGoal).filter((goal) => isThereFor(project, goal));
    },
    known: (project) => knownForGoals(db, project),
    async get(project, id) {
      const goal = await find(project, id);
      return goal && isThereFor(project, goal) ? goal : null;
    },
    async use(project, id) {
      const goal = await find(project, id);
      if (goal && !isThereFor(project, goal)) throw forbidden();
      return goal;
    },
    async create(project, input, noted) {
      const goal = await asStored(input);
      const made = await withOwnName(
        'goal',
        inOne(noted, goal.name, (on) => queries.insertGoal(on, project, goal, MAX_GOALS)),
      );
      if (made === null)
        throw new AppError('conflict', `Limit of ${MAX_GOALS} goals per project reached. Delete one first.`);
      return asGoal(made);
    },
    async change(project, id, input, noted) {
      const goal = await asStored(input);
      const changed = await withOwnName(
        'goal',
        inOne(noted, goal.name, (on) => queries.updateGoal(on, project, id, goal)),
      );
      if (changed === null) throw notFound('goal');
      return asGoal(changed);
    },
    async uses(project, id, user) {
      if ((await queries.goalOf(db, project, id)) === null) throw notFound('goal');
      const [segments, insights] = await Promise.all([
        queries.usingSegments(db, project, id, user),
        queries.usingInsights(db, project, id),
      ]);
      return { segments, insights };
    },
    async remove(project, id, noted) {
      await db.transaction(async (trx) => {
        if (!(await queries.lockGoal(trx, project, id))) throw notFound('goal');
        const name = await queries.deleteGoal(trx, project, id);
        if (name === null) {
          const message = 'Segments or insights use this goal. Edit or delete them first.';
          throw new AppError('conflict', message, { field: 'uses' });
        }
        await noted?.(trx, name);
      });
    },
    check,
  };
}

function isThereFor({ seesPersons }: Seen, goal: Goal): boolean {
  return seesPersons || !goalRevealsPersons(goal);
}

function asGoal({ id, name, definition, created_at, changed_at }: queries.GoalRow): Goal {
  const { rule, amount } = goalDefinition.parse(definition);
  return { id, name, rule, amount, createdAt: created_at, changedAt: changed_at };
}
