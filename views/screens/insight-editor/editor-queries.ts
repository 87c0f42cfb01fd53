/** Queries of the editor's screens. */
import { frameQueries } from '#views/frame/queries.ts';
import type { Insight } from '#views/insights/insight.ts';
import { answerOptions } from '#views/insights/use-answer.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';

/** @param insight null: not known yet */
export function editorQueries(trpc: Trpc, props: ScreenProps, insight: Insight | null): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const asked = [
    ...(insight === null ? [] : [answerOptions(trpc, project, insight)]),
    trpc.insights.goals.list.queryOptions({ project }),
    trpc.insights.segments.list.queryOptions({ project }),
  ];
  return [...frameQueries(trpc, props), ...asked.map((options) => ({ options, critical: true }))];
}
