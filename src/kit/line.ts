/** Text of one line, as contracts ask for it. */
import * as z from 'zod/mini';
import { MAX_SHOWN_NAME_LENGTH } from './values.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const oneLine = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/;

/** One non-empty line of text. */
export const lineOf = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Required.'),
      z.maxLength(most, `Use at most ${most} characters.`),
      z.regex(oneLine, 'Use a single line.'),
    );

/** A name of a person, team, project or key. */
export const shownName = lineOf(MAX_SHOWN_NAME_LENGTH);
