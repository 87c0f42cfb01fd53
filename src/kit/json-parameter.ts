/** Parameters of an address whose value is JSON. */
import type * as z from 'zod/mini';
import { invalid } from './errors.ts';

const MAX_JSON_LENGTH = 20_000;

/** What was sent as a parameter. @throws AppError `invalid` for what is not JSON, or longer than 20,000 characters */
export function jsonParameter(name: string, text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_JSON_LENGTH) throw invalid(name, `Give \`${name}\` as JSON.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(name, `Give \`${name}\` as JSON.`);
  }
}

/** What a schema reads of it. @throws AppError `invalid` */
export function readParameter<Value>(name: string, schema: z.ZodMiniType<Value>, given: unknown): Value {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw invalid(name, `Invalid ${name}.`);
}
