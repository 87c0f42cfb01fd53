/** Questions about the numbers that properties say: what they come to over all, and by a value. All of a question is of one moment. */

import type { Reading } from '../conditions/groups.ts';
import { collectOf } from '../count/collecting.ts';
import { summarizeCollected } from '../count/summing-up.ts';
import { besideText } from '../filters/visit-fields.ts';
import { type CollectPlan, partsOfKey } from '../kernels/collect.ts';
import type { Summary, SummaryPlan } from '../kernels/summarize.ts';
import { PROPERTY } from '../storage/encode.ts';
import { prepare, type Question } from './answer.ts';
import type { AnswerParts } from './answer-parts.ts';

/** Summaries of a property: events, breakdown and property. */
export interface ValuesQuery {
  /** Names of the events. */
  names: readonly string[];
  /** Breakdown by a group property, or by the text of another property with an optional prefix `beside` (`partsOf`). */
  by: Reading | { property: string; beside?: Reading };
  /** Properties in no group. `most`: what is more counts as this; `rows`: whether it is wanted by value, as it is without it. */
  figures: readonly (Omit<SummaryPlan, 'keys'> & { property: string; most?: number; rows?: boolean })[];
}

export interface ValueSummary extends Omit<Summary, 'key'> {
  value: string;
}

/** A figure's summaries of a span: in total, and by value. */
export interface ValueSummaries {
  total: Omit<ValueSummary, 'value'>;
  rows: ValueSummary[];
}

/** Summaries for each figure and span. @throws AppError as `querySeries` */
export async function queryValueSummaries(
  parts: AnswerParts,
  question: Question,
  { names, by, figures }: ValuesQuery,
): Promise<ValueSummaries[][]> {
  const reading = 'property' in by ? by.beside : by;
  const ofGroups = reading === undefined ? null : { of: 'events' as const, column: reading.kind, reading };
  const properties = [...figures.map(({ property }) => property), ...('property' in by ? [by.property] : [])];
  const { ready, values } = await prepare(parts, question, ofGroups === null ? [] : [ofGroups], names, {
    countsEvents: true,
    countsPersons: false,
    properties,
  });
  const [own] = values;
  const known = own === undefined || ofGroups === null ? null : { column: ofGroups.column, values: own.textOf };
  const property = 'property' in by ? PROPERTY + by.property : null;
  const plan: CollectPlan['by'] = property === null ? known : { property, ...(known !== null && { beside: known }) };
  const keyOfBy = [property, known?.column, own?.serial];
  const { reader } = ready.gathered;
  const sentAs = 'property' in by ? by.property : '';
  const textOfKey = (key: number | string): string => {
    if (typeof key === 'number') return own?.texts[key] ?? '';
    if (known === null) return reader.value(sentAs, key);
    const [number, text] = partsOfKey(key);
    return besideText(own?.texts[number] ?? '', reader.value(sentAs, text));
  };
  return Promise.all(
    figures.map(({ property, most = null, rows: keys = true, quantile, limits }) =>
      Promise.all(
        question.spans.map(async ({ from, until }, at) => {
          const what = { column: PROPERTY + property, most, by: keys ? plan : null };
          const key = ['v', property, most, keys ? keyOfBy : null];
          const collected = await collectOf(ready, [from, until], at, what, key);
          const summaries = await summarizeCollected(ready, { quantile, limits, keys }, collected);
          const { key: _, ...total } = summaries.total;
          const rows = summaries.byKey.map(({ key, ...row }) => ({
            value: textOfKey(key),
            ...row,
          }));
          return { total, rows };
        }),
      ),
    ),
  );
}
