/** Numbers of rows, as contracts ask for them. */
import * as z from 'zod/mini';

/** The greatest `int` of PostgreSQL: it refuses to compare one with more. */
export const MAX_ROW_ID = 2_147_483_647;

/** Number of a goal, segment, note, person of the team and the like; 0 is nobody's: addresses name a goal that makes no sense so. */
export const rowId = z.int().check(z.minimum(0), z.maximum(MAX_ROW_ID));
