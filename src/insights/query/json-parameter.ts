/** Parameters of an address that are written as JSON. */
import * as z from 'zod';

interface Reading<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false };
}

/** An optional JSON text, validated by a schema of the screens. @param wrong message for invalid texts */
export function asJson<Value>(
  schema: Reading<Value>,
  { description, example, wrong }: { description: string; example: string; wrong: string },
) {
  return z
    .string()
    .max(20_000)
    .optional()
    .meta({ description, example })
    .transform((text, context) => {
      if (text === undefined) return undefined;
      const found = schema.safeParse(parsed(text));
      if (found.success) return found.data;
      context.addIssue({ code: 'custom', message: wrong });
      return z.NEVER;
    });
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
