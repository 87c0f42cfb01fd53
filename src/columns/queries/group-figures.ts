/** What each group of a type did: events, people, first and last event. */
import { bytesOfGroups, type GroupsPart } from '../kernels/list-groups.ts';
import type { Span } from '../storage/span.ts';
import type { GroupSubject } from '../values.ts';
import type { AnswerParts } from './answer-parts.ts';
import { prepareSeries } from './prepare-series.ts';
import { columnsOfActors, partsOf, type ReadySeries, type Scope } from './series.ts';

export interface GroupFiguresQuery extends Scope {
  of: GroupSubject;
  span: Span;
}

/** A group with an event in the span. */
export interface GroupFigure {
  key: string;
  events: number;
  people: number;
  /** ms. */
  firstSeen: number;
  lastSeen: number;
}

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryGroupFigures(parts: AnswerParts, asked: GroupFiguresQuery): Promise<GroupFigure[]> {
  const { of, span } = asked;
  if (span.until <= span.from) return [];
  const ready = await prepareSeries(parts, asked, {
    spans: [span],
    series: [[{ names: null, filters: [] }]],
    by: null,
    ...columnsOfActors(of),
  });
  const [series] = ready.series as [ReadySeries];
  const found = await partsOf<GroupsPart>(
    ready,
    [span.from, span.until],
    series.key && JSON.stringify(['groups', of]) + series.key,
    (chunks, sets) => parts.threads.run({ task: 'listGroups', plan: { ...series.plan, of }, chunks, sets }),
    bytesOfGroups,
  );
  const { mergedInto, groupNumbers } = ready.gathered;
  const sums = await parts.threads.run({
    task: 'sumGroups',
    plan: { mergedInto },
    parts: found.map(({ part }) => part),
  });
  const keys = groupNumbers.get(of)?.keys ?? [];
  return Array.from(sums.groups, (group, at) => ({
    key: keys[group] ?? '',
    events: sums.events[at] as number,
    people: sums.people[at] as number,
    firstSeen: sums.first[at] as number,
    lastSeen: sums.last[at] as number,
  }));
}
