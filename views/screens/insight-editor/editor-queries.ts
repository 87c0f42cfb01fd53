/** Queries of the editor's screens. */
import { frameQueries } from '#views/frame/queries.ts';
import { eventsOf, type Insight } from '#views/insights/insight.ts';
import { rulesIn } from '#views/insights/names.ts';
import { answerOptions } from '#views/insights/use-answer.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';

/** Of an insight with more names, the browser asks for the others. */
const MAX_NAMES = 20;

/** @param insight null: not known yet */
export function editorQueries(trpc: Trpc, props: ScreenProps, insight: Insight | null): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const asked = [
    ...(insight === null ? [] : insightOptions(trpc, project, insight)),
    trpc.insights.goals.list.queryOptions({ project }),
    trpc.insights.segments.list.queryOptions({ project }),
  ];
  return [...frameQueries(trpc, props), ...asked.map((options) => ({ options, critical: true }))];
}

/** Queries of an insight: its answer, and whether the events that it names have been received. */
export function insightOptions(trpc: Trpc, project: string, insight: Insight): ScreenQuery['options'][] {
  const names = new Set(eventsOf(insight).flatMap((events) => rulesIn(events).flatMap(({ event }) => event ?? [])));
  return [
    answerOptions(trpc, project, insight),
    // As the rows of the query ask for them.
    ...[...names]
      .slice(0, MAX_NAMES)
      .map((event) => trpc.insights.unknownEvents.queryOptions({ project, events: [{ event }] })),
  ];
}
