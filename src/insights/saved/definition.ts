/** Stored definition of an insight, in a column of `insights` and in the states of `insight_changes`. */
import * as z from 'zod/mini';
import { invalid } from '#src/kit/errors.ts';
import { firstIssue } from '#src/kit/issue.ts';
import { rowId } from '#src/kit/row.ts';
import type { QueryInput } from '../define.ts';
import type { AnyKind } from '../kinds/all-kinds.ts';
import { funnel, lifecycle, paths, retention, stickiness, trends } from '../kinds/kinds.ts';
import { type DefinitionInput, type Display, display } from './contract.ts';
import { upcast } from './upcasts.ts';
import { MAX_DEFINITION, QUERY_VERSION, type SavedKind, savedKinds } from './values.ts';

export interface Definition {
  kind: SavedKind;
  version: number;
  /** Validated by the kind's schema. */
  query: QueryInput;
  segment: number | null;
  display: Display;
}

const savable = { trends, funnel, retention, paths, lifecycle, stickiness } satisfies Record<SavedKind, unknown>;

/** The definition of a kind that can be saved. */
export function kindOf(kind: SavedKind): AnyKind {
  return savable[kind] as unknown as AnyKind;
}

const stored = z.object({
  kind: z.enum(savedKinds),
  version: z.int(),
  query: z.record(z.string(), z.unknown()),
  segment: z.nullable(rowId),
  display,
});

/** A stored definition in the present version. @throws for one that no version ever wrote */
export function openDefinition(value: unknown): Definition {
  const { kind, version, query, segment, display: shown } = stored.parse(value);
  const present = upcast({ kind, query }, version);
  const input = kindOf(present.kind).input.parse(present.query);
  return { kind: present.kind, version: QUERY_VERSION, query: input, segment, display: shown };
}

/** Validates a definition to store. @throws AppError `invalid`, with the part of the query as its field */
export function readDefinition(given: DefinitionInput): Definition {
  const present = upcast({ kind: given.kind, query: given.query }, given.version);
  const result = kindOf(present.kind).input.safeParse(present.query);
  if (!result.success) {
    const issue = firstIssue(result.error.issues);
    throw invalid(['query', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'Invalid query.');
  }
  const definition: Definition = {
    kind: present.kind,
    version: QUERY_VERSION,
    query: result.data,
    segment: given.segment ?? null,
    display: given.display,
  };
  checkStorable(definition);
  return definition;
}

function checkStorable(definition: Definition): void {
  const text = JSON.stringify(definition);
  if (text.length > MAX_DEFINITION) {
    throw invalid('query', 'This query is too long to save. Use fewer values or a shorter list of people.');
  }
  if (!isStorable(definition)) throw invalid('query', 'This query contains characters that can’t be stored.');
}

/** PostgreSQL has no text with the character 0, nor with half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each));
}
