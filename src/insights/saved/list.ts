/** The list of insights: filters and filter options. */
import { searchable } from '#src/kit/search/values.ts';
import type { GroupRef, InsightAccount, InsightList, InsightSummary, InsightsQuery } from './contract.ts';
import type { SavedKind } from './values.ts';

export interface Listed extends InsightSummary {
  /** Names of events in the query; read only when the list is filtered by one. */
  events(): readonly string[];
  /** Whether the query is about a group; read only when the list is filtered by one. */
  names(group: GroupRef): boolean;
}

/** Applies the filters; keeps the order. */
export function selected<Item extends Listed>(all: readonly Item[], asked: InsightsQuery): Item[] {
  const { kind, owner, tag, favorites, archived = false, event, group } = asked;
  const words = wordsOf(asked.search ?? '');
  return all.filter(
    (each) =>
      (each.archivedAt !== null) === archived &&
      (kind === undefined || each.kind === kind) &&
      (owner === undefined || each.owner.id === owner) &&
      (tag === undefined || each.tags.includes(tag)) &&
      (!favorites || each.favorite) &&
      words.every((word) => textOf(each).includes(word)) &&
      (event === undefined || each.events().includes(event)) &&
      (group === undefined || each.names(group)),
  );
}

/** Over those in use. */
export function facetsOf(all: readonly InsightSummary[]): InsightList['facets'] {
  const inUse = all.filter(({ archivedAt }) => archivedAt === null);
  const kinds: Partial<Record<SavedKind, number>> = {};
  for (const { kind } of inUse) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const owners = new Map<number, InsightAccount>(inUse.map(({ owner }) => [owner.id, owner]));
  return {
    all: inUse.length,
    kinds,
    owners: [...owners.values()].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? '')),
    tags: [...new Set(inUse.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b)),
    favorites: inUse.filter(({ favorite }) => favorite).length,
    archived: all.length - inUse.length,
  };
}

function textOf({ name, description, tags, owner }: InsightSummary): string {
  return searchable([name, description, ...tags, owner.name ?? ''].join('\n'));
}

function wordsOf(search: string): string[] {
  return searchable(search).split(/\s+/).filter(Boolean);
}
