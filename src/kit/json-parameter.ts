/** URL parameters with JSON values. */
import type * as z from 'zod/mini';
import { invalid } from './errors.ts';

const MAX_JSON_LENGTH = 20_000;

/** The parsed parameter. @throws AppError `invalid` for invalid JSON, or more than 20,000 characters */
export function jsonParameter(name: string, text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_JSON_LENGTH) throw invalid(name, `Give \`${name}\` as JSON.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(name, `Give \`${name}\` as JSON.`);
  }
}

/** The parameter, validated by a schema. @throws AppError `invalid` */
export function readParameter<Value>(name: string, schema: z.ZodMiniType<Value>, given: unknown): Value {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw invalid(name, `Invalid ${name}.`);
}
