/** The kinds without their own types, for doors that loop over them or take one by its name. */
import type { InsightKind, QueryInput } from '../define.ts';
import * as kinds from './kinds.ts';

export type AnyKind = InsightKind<string, QueryInput, unknown>;

export const allKinds = Object.values(kinds) as unknown as readonly AnyKind[];

const byName = new Map(allKinds.map((kind) => [kind.name, kind]));

/** Undefined: there is none of that name. */
export function kindNamed(name: string): AnyKind | undefined {
  return byName.get(name);
}
