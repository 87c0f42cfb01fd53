/** Numbers of rows, as contracts ask for them. */
import * as z from 'zod/mini';

/** The greatest `int` of PostgreSQL: it refuses to compare one with more. */
export const MAX_ROW_ID = 2_147_483_647;

/** Id of a goal, segment, annotation, team member and the like; 0 matches no row: addresses use it for an invalid goal. */
export const rowId = z.int().check(z.minimum(0), z.maximum(MAX_ROW_ID));
