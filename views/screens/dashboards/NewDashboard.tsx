/** Names a new dashboard and chooses what it starts with. Insights of its template are saved with it. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tile } from '#src/dashboards/contract.ts';
import type { InsightTemplate } from '#src/insights/saved/contract.ts';
import { dashboardOf } from '#views/frame/addresses.ts';
import { type InsightNames, NameFields, namesIn } from '#views/insights/SaveDialog.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigation } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { type DashboardTemplate, dashboardEditWords } from '#views/words/dashboard-edit.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Dashboards.module.css';
import { dashboardTemplates } from './templates.ts';

const names = Object.keys(dashboardTemplates) as DashboardTemplate[];

export interface NewDashboardProps {
  project: string;
  onClose(): void;
}

export function NewDashboard({ project, onClose }: NewDashboardProps) {
  const own = usePart(dashboardWords);
  const edit = usePart(dashboardEditWords);
  const { templates: text } = usePart(savedInsightWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const { data: insights } = useSuspenseQuery(trpc.insights.saved.templates.queryOptions({ project }));
  const save = useMutation(trpc.insights.saved.create.mutationOptions());
  const create = useMutation(trpc.dashboards.create.mutationOptions());

  /** Insights that a failed try saved already; the next one uses them. */
  const [saved] = useState(() => new Map<InsightTemplate['id'], number>());

  /** Templates of insights that the project's events cannot fill are left out. */
  async function tilesOf(template: DashboardTemplate): Promise<Tile[]> {
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

  const form = useForm<keyof InsightNames | 'template'>({
    async send({ template, ...values }) {
      try {
        const tiles = await tilesOf(names.find((each) => each === template) ?? 'blank');
        const made = await create.mutateAsync({ project, ...namesIn(values), content: { tiles } });
        await client.invalidateQueries({ queryKey: trpc.dashboards.list.queryKey({ project }) });
        showToast(edit.created);
        onClose();
        navigate(dashboardOf(project, made.id));
      } finally {
        if (saved.size > 0) await client.invalidateQueries({ queryKey: trpc.insights.saved.list.queryKey() });
      }
    },
  });
  return (
    <Dialog label={own.create} onClose={onClose} className="ph-no-capture">
      <form className={css['form']} onSubmit={form.onSubmit}>
        <h2>{own.create}</h2>
        <NameFields name="" description="" tags={[]} />
        <fieldset className={css['templates']}>
          <legend>{edit.template}</legend>
          {names.map((name) => {
            const [title, about] = edit.templates[name];
            return (
              <label key={name}>
                <input type="radio" name="template" value={name} defaultChecked={name === 'traffic'} />
                <span>
                  <b>{title}</b>
                  <span className="dim">{about}</span>
                </span>
              </label>
            );
          })}
        </fieldset>
        <FormError>{form.failure !== null && <Problem error={form.failure} />}</FormError>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.cancel}</Button>
          <Button type="submit" kind="primary" busy={form.busy && own.saving}>
            {own.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
