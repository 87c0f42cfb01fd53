/** Statements that are sent behind others whose answers nobody has seen yet. */

/**
 * The result of `work`. When it fails although only something sent before it is to blame (PostgreSQL refuses everything in a transaction
 * that has failed), the error of that.
 */
export async function orEarlier<Result>(earlier: readonly Promise<unknown>[], work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await Promise.all(earlier);
    throw error;
  }
}
