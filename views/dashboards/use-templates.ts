/** Creates dashboards from templates. Insights of a template are saved with it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dashboard, DashboardInput, Tile } from '#src/dashboards/contract.ts';
import type { InsightTemplate } from '#src/insights/saved/contract.ts';
import { useTrpc } from '#views/trpc.ts';
import type { DashboardTemplate } from '#views/words/dashboard-edit.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import { dashboardTemplates } from './templates.ts';

export type CreateFrom = (
  template: DashboardTemplate,
  insights: readonly InsightTemplate[],
  names: Omit<DashboardInput, 'content'>,
) => Promise<Dashboard>;

/**
 * @returns creates a dashboard from a template, with those of the given templates of insights that it shows. Throws what a procedure throws;
 *   insights that were saved by then are used by the next try
 */
export function useTemplates(project: string): CreateFrom {
  const { templates: text } = usePart(savedInsightWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const save = useMutation(trpc.insights.saved.create.mutationOptions());
  const create = useMutation(trpc.dashboards.create.mutationOptions());
  const [saved] = useState(() => new Map<InsightTemplate['id'], number>());

  /** Templates of insights that the project's events cannot fill are left out. */
  async function tilesOf(template: DashboardTemplate, insights: readonly InsightTemplate[]): Promise<Tile[]> {
    const tiles: Tile[] = [];
    for (const [at, tile] of dashboardTemplates[template].entries()) {
      const id = `tile-${at + 1}`;
      if (tile.kind !== 'template') {
        tiles.push({ ...tile, id } as Tile);
        continue;
      }
      const found = insights.find((each) => each.id === tile.template);
      if (found === undefined) continue;
      const insight = saved.get(found.id) ?? (await saveTemplate(found));
      tiles.push({ id, kind: 'insight', insight, width: tile.width, height: tile.height });
    }
    return tiles;
  }

  async function saveTemplate({ id, definition }: InsightTemplate): Promise<number> {
    const [name, description] = text.names[id];
    const insight = await save.mutateAsync({ project, name, description, definition });
    saved.set(id, insight.id);
    return insight.id;
  }

  return async (template, insights, names) => {
    try {
      const tiles = await tilesOf(template, insights);
      const made = await create.mutateAsync({ project, ...names, content: { tiles } });
      await client.invalidateQueries({ queryKey: trpc.dashboards.list.queryKey({ project }) });
      return made;
    } finally {
      if (saved.size > 0) await client.invalidateQueries({ queryKey: trpc.insights.saved.list.queryKey() });
    }
  };
}
