/** Names of events and properties, as contracts ask for them. */
import * as z from 'zod/mini';
import { MAX_STORED_NAME_LENGTH } from './values.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is refused
const storable = /^[^\u0000\p{Surrogate}]*$/u;

/** A name that an event or a property can have: PostgreSQL holds no NUL and no half of a pair of surrogates. */
export const storedName = z
  .string()
  .check(z.minLength(1), z.maxLength(MAX_STORED_NAME_LENGTH), z.regex(storable, 'Invalid name.'));
