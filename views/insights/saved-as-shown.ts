import type { InsightTemplate, SavedInsight } from '#src/insights/saved/contract.ts';
import { readQuestion } from '#views/question/question.ts';
import { insightOf, readInsight } from './address.ts';
import { display } from './display.ts';
import { type Inputs, type Insight, type KindName, schemas } from './insight.ts';

/** Parts of the question that addresses of insights hold in words. */
const inWords = ['range', 'compare', 'interval', 'filters', 'people', 'include', 'segment', 'edited'] as const;

/** The saved insight as an address shows it: with the query of the address, or with those parts of its question that the address has. */
export function shownAt(saved: Insight, search: URLSearchParams): Insight {
  if (search.has('kind')) return readInsight(search);
  const [nothing, asked] = [readQuestion(new URLSearchParams()), readQuestion(search)];
  const differing = inWords.filter((key) => JSON.stringify(asked[key]) !== JSON.stringify(nothing[key]));
  if (differing.length === 0) return saved;
  const { people, ...others } = saved;
  const question = { ...saved.question, ...Object.fromEntries(differing.map((key) => [key, asked[key]])) };
  const kept = people === undefined || differing.includes('people') ? {} : { people };
  return { ...others, ...kept, question } as Insight;
}

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
