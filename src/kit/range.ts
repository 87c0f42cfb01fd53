/** Stretches of time as questions name them. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { rangePresets } from './values.ts';

export { rangePresets };
export type RangePreset = (typeof rangePresets)[number];

export const isoDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** A preset, or dates in the project's time zone, both included. */
export const rangeInput = z.union([z.enum(rangePresets), z.object({ from: isoDate, to: isoDate })]);
export type RangeInput = z.infer<typeof rangeInput>;
