import type { InsightTemplate, SavedInsight } from '#src/insights/saved/contract.ts';
import { insightOf } from './address.ts';
import { display } from './display.ts';
import { type Inputs, type Insight, type KindName, schemas } from './insight.ts';

/** A saved insight as the editor holds it. Options of its display that are not known any more are left out. */
export function savedAsShown({ kind, query, segment, display: shown }: SavedInsight): Insight {
  return definitionAsShown({ kind, query, display: shown, ...(segment !== null && { segment }) });
}

type Given = Pick<InsightTemplate['definition'], 'kind' | 'query' | 'display' | 'segment'>;

export function definitionAsShown({ kind, query, display: shown, segment }: Given): Insight {
  const input = schemas[kind].parse(query) as Inputs[KindName];
  const read = display.safeParse(shown);
  return insightOf(kind, { ...input, ...(segment !== undefined && { segment }) }, read.success ? read.data : {});
}
