/** What a schema says is wrong with an input: the field that it is about, and the message. */
import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

export interface FieldIssue {
  /** Names and places on the way to the field; an unknown key is named itself. */
  path: string[];
  message: string;
}

/** The first of the issues. Of several possible forms, the one that differs only by unknown keys. */
export function firstIssue(issues: readonly Issue[]): FieldIssue | null {
  const [issue] = issues;
  return issue === undefined ? null : fieldOf(issue, []);
}

function fieldOf(issue: Issue, above: readonly string[]): FieldIssue {
  const path = [...above, ...issue.path.map(String)];
  if (issue.code === 'unrecognized_keys') return { path: [...path, String(issue.keys[0])], message: issue.message };
  if (issue.code === 'invalid_union') {
    const closest = issue.errors.find((form) => form.length > 0 && form.every(isUnknownKey));
    if (closest?.[0] !== undefined) return fieldOf(closest[0], path);
  }
  return { path, message: issue.message };
}

/** Also within another choice of forms. */
function isUnknownKey(issue: Issue): boolean {
  if (issue.code === 'unrecognized_keys') return true;
  return issue.code === 'invalid_union' && issue.errors.some((form) => form.length > 0 && form.every(isUnknownKey));
}
