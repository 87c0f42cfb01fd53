/**
 * Events by value of a property in a time span, from any storage, without bots and internal traffic.
 * Dictionary codes are counted, so each value is decoded once per entry.
 */

import { eventMarks } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { type Reader, type ReadingRules, readerOf } from '#src/kit/reading/reader.ts';
import { groupKindsOf, groupsFrom, numberedBy } from '../conditions/conditions.ts';
import type { GroupValues } from '../conditions/groups.ts';
import { textOf } from '../filters/condition-values.ts';
import { gather, IN_GROUPS, touches } from '../snapshot/gather.ts';
import type { GatheredChunk } from '../snapshot/gathered-chunk.ts';
import { PROPERTY } from '../storage/encode.ts';
import { entriesOf, openColumn } from '../storage/format.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';

/** Events by the text of the value. @throws AppError `timeout` */
export async function queryPropertyValues(
  parts: AnswerParts,
  projectId: number,
  span: Span,
  name: string,
): Promise<Map<string, number>> {
  const found = await countReadings(parts, projectId, span, name, (own) => [own]);
  found.delete('');
  return found;
}

/** A value by the current and by the changed rules, with its number of events. */
export interface ReadChange {
  from: string;
  to: string;
  count: number;
}

/** Effect of changed rules on all values of a property, unchanged ones included. @throws AppError `timeout` */
export async function queryReadChanges(
  parts: AnswerParts,
  projectId: number,
  span: Span,
  name: string,
  rules: ReadingRules,
): Promise<ReadChange[]> {
  const found = await countReadings(parts, projectId, span, name, (own) => [own, readerOf(rules)]);
  return [...found].map(([both, count]) => {
    const [from = '', to = ''] = both.split(BETWEEN);
    return { from, to, count };
  });
}

/** Separator: stored texts cannot contain NUL. */
const BETWEEN = '\0';

/** Events by what readers say of the value, one after the other; '': nothing. */
function countReadings(
  parts: AnswerParts,
  projectId: number,
  span: Span,
  name: string,
  readersOf: (own: Reader) => readonly Reader[],
): Promise<Map<string, number>> {
  parts.threads.warm();
  return parts.snapshots.withSnapshot(
    projectId,
    [name],
    async (snapshot) => {
      const { client } = snapshot;
      const gathered = await gather(
        { ...parts, snapshot, client },
        {
          projectId,
          spans: [span],
          eventColumns: ['ts', 'marks', IN_GROUPS + name],
          properties: [name],
          sessionColumns: [],
          toEndOfVisits: false,
        },
      );
      const readers = readersOf(gathered.reader);
      const chunks = gathered.events.filter(({ minTs, maxTs }) => touches(span, minTs, maxTs));
      const found = new Map<string, number>();
      const add = (values: readonly (JsonValue | undefined)[], count: number) => {
        if (count === 0) return;
        const text = values.map((value) => (value === undefined || value === null ? '' : textOf(value))).join(BETWEEN);
        found.set(text, (found.get(text) ?? 0) + count);
      };
      for (const kind of groupKindsOf(gathered, name)) {
        const reading = { kind, names: [name] };
        const read: GroupValues[] = [];
        for (const reader of readers) {
          const from = groupsFrom({ ...gathered, reader }, projectId, kind);
          read.push(await parts.groups.values(client, from, reading, numberedBy(chunks, kind)));
        }
        if (read.every(({ byNumber }) => byNumber.every((value) => value === undefined))) continue;
        for (const chunk of chunks) {
          const numbers = numbersOf(chunk, kind);
          countCodes(chunk, span, kind, numbers.length).forEach((count, code) => {
            const number = numbers[code] ?? 0;
            if (number !== 0)
              add(
                read.map(({ byNumber }) => byNumber[number]),
                count,
              );
          });
        }
      }
      for (const chunk of chunks) {
        const bytes = chunk.columns[PROPERTY + name];
        if (bytes === undefined) continue;
        const values = entriesOf(openColumn(bytes));
        countCodes(chunk, span, PROPERTY + name, values.length).forEach((count, code) => {
          const value = values[code];
          if (value === undefined || value === null) return;
          add(
            readers.map((reader) => reader.value(name, value)),
            count,
          );
        });
      }
      return found;
    },
    parts.ending,
  );
}

function numbersOf({ columns }: GatheredChunk, name: string): ArrayLike<number> {
  const bytes = columns[name];
  return bytes === undefined ? [] : (openColumn(bytes).numbers ?? []);
}

/** Events of the span by code of the column. */
function countCodes(
  { columns, rows, minTs, maxTs }: GatheredChunk,
  { from, until }: Span,
  name: string,
  entries: number,
): Uint32Array {
  const [bytes, times, marks] = [columns[name], columns['ts'], columns['marks']];
  if (bytes === undefined || times === undefined) return new Uint32Array(0);
  const { codes } = openColumn(bytes);
  const counts = new Uint32Array(entries);
  const { codes: offsets, base } = openColumn(times);
  const isWhole = minTs >= from && maxTs < until;
  const left = marks === undefined ? null : openColumn(marks);
  const isLeft = Uint8Array.from(left?.numbers ?? [], (bits) => ((bits & eventMarks.bot) === 0 ? 0 : 1));
  for (let row = 0; row < rows; row++) {
    if (left !== null && isLeft[left.codes[row] as number] === 1) continue;
    if (!isWhole) {
      const at = base + (offsets[row] as number);
      if (at < from || at >= until) continue;
    }
    const code = codes[row] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return counts;
}
