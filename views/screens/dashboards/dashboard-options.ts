/** What screens of one dashboard ask for. */
import type { QueryClient } from '@tanstack/react-query';
import type { Dashboard } from '#src/dashboards/contract.ts';
import { frameQueries } from '#views/frame/queries.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';

export function dashboardOptions(trpc: Trpc, { params }: Pick<ScreenProps, 'params'>) {
  const dashboard = Number(params['dashboard']);
  return trpc.dashboards.get.queryOptions({
    project: params['project'] ?? '',
    dashboard: Number.isSafeInteger(dashboard) && dashboard >= 0 ? dashboard : 0,
  });
}

export function dashboardQueries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const asked = [
    dashboardOptions(trpc, props),
    trpc.insights.goals.list.queryOptions({ project }),
    trpc.insights.segments.list.queryOptions({ project }),
  ];
  return [...frameQueries(trpc, props), ...asked.map((options) => ({ options, critical: true }))];
}

export function dashboardIn(trpc: Trpc, props: ScreenProps, answers: QueryClient): Dashboard | undefined {
  return answers.getQueryData<Dashboard>(dashboardOptions(trpc, props).queryKey);
}

export function goalsIn(trpc: Trpc, { params }: ScreenProps, answers: QueryClient): readonly { id: number }[] {
  const options = trpc.insights.goals.list.queryOptions({ project: params['project'] ?? '' });
  return answers.getQueryData(options.queryKey) ?? [];
}
