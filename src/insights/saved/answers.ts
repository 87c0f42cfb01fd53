/** Saved insights as they are answered. */
import { isDeepStrictEqual } from 'node:util';
import {
  type ChangedField,
  changedFields,
  type InsightRevision,
  type InsightSummary,
  type SavedInsight,
} from './contract.ts';
import { type Definition, openDefinition } from './definition.ts';
import type { ChangeRow, InsightState } from './history-queries.ts';
import type { InsightRow } from './queries.ts';

export function asSummary(row: InsightRow): InsightSummary {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    description: row.description,
    tags: row.tags,
    owner: { id: row.owner, name: row.owner_name },
    createdAt: row.created_at,
    changedAt: row.changed_at,
    archivedAt: row.archived_at,
    favorite: row.favorite,
    viewedAt: row.viewed_at,
    revision: row.revision,
  };
}

export function asInsight(row: InsightRow, { version, query, segment, display }: Definition): SavedInsight {
  return { ...asSummary(row), version, query: { ...query }, segment, display };
}

/** @param rows the newest first */
export function historyOf(rows: readonly ChangeRow[]): InsightRevision[] {
  const opened = rows.map((row) => ({ ...row, definition: openDefinition(row.state.definition) }));
  return opened.map(({ revision, action, account, account_name, at, state, definition }, index) => {
    const before = opened[index + 1];
    return {
      revision,
      action,
      by: { id: account, name: account_name },
      at,
      name: state.name,
      kind: definition.kind,
      changed: before === undefined ? [] : changesBetween(fieldsOf(before), fieldsOf({ state, definition })),
    };
  });
}

function fieldsOf({ state, definition }: { state: InsightState; definition: Definition }) {
  const { kind, query, display, segment } = definition;
  const { name, description, tags } = state;
  return { name, description, tags, query: [kind, query], display, segment };
}

function changesBetween(before: Record<ChangedField, unknown>, after: Record<ChangedField, unknown>): ChangedField[] {
  return changedFields.filter((field) => !isSame(before[field], after[field]));
}

/** True for equal JSON, regardless of key order. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(asJson(one), asJson(other));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
