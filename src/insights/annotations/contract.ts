/** Notes on charts: what happened to the product and when. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { lineOf } from '#src/kit/line.ts';
import { rowId } from '#src/kit/row.ts';
import { rangeInput } from '../contract.ts';

/** A date in the time zone of the project. */
const day = z.string().check(z.regex(/^[12]\d{3}-\d{2}-\d{2}$/, 'Use the format 2026-11-20.'));

/** The years 1 to 9999. */
const moment = z.int().check(z.minimum(-62_135_596_800_000), z.maximum(253_402_300_799_999));

const url = z
  .string()
  .check(
    z.trim(),
    z.maxLength(2000, 'URL is too long.'),
    z.regex(/^https?:\/\/[^\s"<>]+$/i, 'Enter a full URL starting with https://.'),
  );

/** The form of an annotation: at a date, or at a time in ms. */
export const annotationInput = z.object({
  when: z.union([z.object({ day }), z.object({ at: moment })]),
  text: lineOf(400),
  url: z.nullable(url),
});
export type AnnotationInput = z.infer<typeof annotationInput>;

export const annotationRef = z.object({ annotation: rowId });
export const annotationChange = z.extend(annotationInput, { annotation: rowId });
export const annotationsInput = z.object({ range: rangeInput });

export interface Annotation {
  id: number;
  /** Null: at a time. */
  day: string | null;
  /** The time, or the start of the date, ms. */
  at: number;
  text: string;
  url: string | null;
}

/** The newest so many are given. */
export const MAX_SHOWN = 1000;
export const MAX_ANNOTATIONS = 10_000;
