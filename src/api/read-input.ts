/** Reads a body as the schema of the screens has it. */
import * as z from 'zod';
import { invalid } from '#src/kit/errors.ts';
import { firstIssue } from '#src/kit/issue.ts';

/** @param field of the body; names of fields within it follow. @throws AppError `invalid` */
export function readInput<Output>(schema: z.core.$ZodType<Output>, given: unknown, field?: string): Output {
  const result = z.core.safeParse(schema, given);
  if (result.success) return result.data;
  const issue = firstIssue(result.error.issues);
  const path = [...(field === undefined ? [] : [field]), ...(issue?.path ?? [])];
  throw invalid(path.join('.'), issue?.message ?? 'Invalid request.');
}
