/** Events divided by fields of their visits: one more column of values for each chunk and field. */

import type { ConditionParts } from '../conditions/conditions.ts';
import { groupsFrom, numberedBy } from '../conditions/conditions.ts';
import { type Breakdown, visitFieldsOf, visitKeyColumn } from '../conditions/key-places.ts';
import type { SessionField } from '../contract.ts';
import { type VisitNumber, visitNumbers, visitProperties } from '../filters/visit-fields.ts';
import type { VisitKeysPlan } from '../kernels/visit-keys.ts';
import type { VisitPiece } from '../kernels/visit-values.ts';
import type { Gathered } from '../snapshot/gather.ts';
import type { ColumnBytes } from '../storage/format.ts';
import type { AnswerParts } from './answer-parts.ts';

/** The events of chunks with the columns that the breakdown reads. */
export async function withVisitKeys(
  { threads }: Pick<AnswerParts, 'threads'>,
  own: ConditionParts,
  by: Breakdown | null,
): Promise<Gathered['events']> {
  let { events } = own.gathered;
  for (const field of visitFieldsOf(by)) {
    const plan = await planOf(own, field);
    const columns = await Promise.all(
      shares(events, threads.count).map((some) =>
        threads.run({ task: 'visitKeys', plan, chunks: some.map((chunk) => ({ columns: chunk.columns })) }),
      ),
    );
    const found: ColumnBytes[] = columns.flat();
    const name = visitKeyColumn(field);
    events = events.map((chunk, at) => ({ ...chunk, columns: { ...chunk.columns, [name]: found[at] } }));
  }
  return events;
}

async function planOf(
  { client, projectId, groups, gathered }: ConditionParts,
  field: SessionField,
): Promise<VisitKeysPlan> {
  if (isNumber(field)) {
    const { column, per } = visitNumbers[field];
    return { pieces: piecesOf(gathered, column), of: { per } };
  }
  const { column, ...property } = visitProperties[field];
  const from = groupsFrom(gathered, projectId, property.kind);
  const { textOf, texts } = await groups.values(client, from, property, numberedBy(gathered.sessions, column));
  return { pieces: piecesOf(gathered, column), of: { meaning: textOf, texts } };
}

function isNumber(field: SessionField): field is VisitNumber {
  return Object.hasOwn(visitNumbers, field);
}

function piecesOf({ sessions }: Pick<Gathered, 'sessions'>, column: string): VisitPiece[] {
  return sessions.flatMap(({ columns, except }) => {
    const ids = columns['id'];
    return ids === undefined ? [] : [{ ids, values: columns[column], except }];
  });
}

/** In so many lists of about as many, in their order. */
function shares<Item>(items: readonly Item[], most: number): Item[][] {
  const size = Math.max(1, Math.ceil(items.length / Math.max(1, most)));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
