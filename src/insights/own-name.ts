/** Unique names of a project's saved objects. */
import { AppError } from '#src/kit/errors.ts';
import { sqlState } from '#src/store/db.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * @param what in a sentence
 * @throws AppError `conflict` when the name is taken
 */
export async function withOwnName<Result>(
  what: 'goal' | 'segment' | 'cohort',
  saved: Promise<Result>,
): Promise<Result> {
  try {
    return await saved;
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
    throw new AppError('conflict', `A ${what} with this name already exists.`, { field: 'name' });
  }
}
