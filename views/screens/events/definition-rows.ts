/** The list of definitions as it is read from the address, found in and sorted. Pure. */
import type { Definition, DefinitionKind } from '#src/explorer/contract.ts';
import { definitionsOf } from '#views/frame/addresses.ts';

const sorts = ['events', 'name', 'lastSeen'] as const;
export type DefinitionSort = (typeof sorts)[number];

export interface Asked {
  kind: DefinitionKind;
  sort: DefinitionSort;
  /** The name that is being described. */
  open: string | null;
}

export function readAsked(search: URLSearchParams): Asked {
  return {
    kind: search.get('kind') === 'property' ? 'property' : 'event',
    sort: sorts.find((each) => each === search.get('sort')) ?? 'events',
    open: search.get('open'),
  };
}

export function askedAddress(project: string, { kind, sort, open }: Asked): string {
  const search = new URLSearchParams();
  if (kind !== 'event') search.set('kind', kind);
  if (sort !== 'events') search.set('sort', sort);
  if (open !== null) search.set('open', open);
  const text = search.toString();
  return text === '' ? definitionsOf(project) : `${definitionsOf(project)}?${text}`;
}

/** Those whose name or description holds every typed word, without regard to case. */
export function found(definitions: readonly Definition[], typed: string): Definition[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return definitions.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function sorted(definitions: readonly Definition[], by: DefinitionSort): Definition[] {
  const byName = (one: Definition, other: Definition) => (one.name < other.name ? -1 : 1);
  if (by === 'name') return [...definitions].sort(byName);
  const amount = (each: Definition) => (by === 'lastSeen' ? each.lastSeen : (each.events ?? -1));
  return [...definitions].sort((one, other) => amount(other) - amount(one) || byName(one, other));
}
