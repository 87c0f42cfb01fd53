/** Chooses what a new tile shows: an insight, a number or table of *Overview*, the goals, or text. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Tile } from '#src/dashboards/contract.ts';
import { goalTileMetrics } from '#src/dashboards/values.ts';
import { breakdownDimensions } from '#src/insights/kinds/breakdown/values.ts';
import { overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { InsightSummary, SavedInsight } from '#src/insights/saved/contract.ts';
import { newInsightOf } from '#views/frame/addresses.ts';
import { Thumbnail } from '#views/insights/Thumbnail.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { useFailureToast } from '#views/kit/use-failure-toast.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { dashboardEditWords } from '#views/words/dashboard-edit.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Dashboards.module.css';
import { TextDialog } from './TextDialog.tsx';

const kinds = ['insight', 'metric', 'breakdown', 'text'] as const;
type Kind = (typeof kinds)[number];

/** Insights that are listed at once; more are found by name. */
const SHOWN = 20;

export interface AddTileProps {
  reference: string;
  /** @param insight that the tile shows */
  onAdd(tile: Tile, insight?: SavedInsight): void;
  onClose(): void;
}

export function AddTile({ reference, onAdd, onClose }: AddTileProps) {
  const own = usePart(dashboardWords);
  const edit = usePart(dashboardEditWords);
  const { words } = useWords();
  const { data: goals = [] } = useKnown(useTrpc().insights.goals.list.queryOptions({ project: reference }));
  const [kind, setKind] = useState<Kind>('insight');
  const [writes, setWrites] = useState<'text' | 'heading' | null>(null);
  if (writes !== null) {
    return (
      <TextDialog
        kind={writes}
        text=""
        onSave={(text) => onAdd({ id: newId(), kind: writes, text, width: 12, height: 1 })}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog label={own.addTile} onClose={onClose} className="ph-no-capture">
      <div className={css['form']}>
        <h2>{own.addTile}</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
        <div role="group" aria-label={own.addTile} className={css['kinds']}>
          {kinds.map((each) => (
            <button key={each} type="button" aria-pressed={each === kind} onClick={() => setKind(each)}>
              {edit.kinds[each]}
            </button>
          ))}
        </div>
        {kind === 'insight' && <Insights reference={reference} onAdd={onAdd} />}
        {kind === 'metric' && (
          <ul className={css['choices']}>
            {overviewMetrics.map((metric) => (
              <li key={metric}>
                <button
                  type="button"
                  onClick={() => onAdd({ id: newId(), kind: 'metric', metric, width: 3, height: 1 })}
                >
                  {words.metrics[metric]}
                </button>
              </li>
            ))}
            {goals.flatMap((goal) =>
              goalTileMetrics
                .filter((metric) => metric !== 'revenue' || goal.amount !== null)
                .map((metric) => (
                  <li key={`${goal.id} ${metric}`}>
                    <button
                      type="button"
                      onClick={() => onAdd({ id: newId(), kind: 'goal', goal: goal.id, metric, width: 3, height: 1 })}
                    >
                      {`${own.goalMetrics[metric]}: ${goal.name}`}
                    </button>
                  </li>
                )),
            )}
          </ul>
        )}
        {kind === 'breakdown' && (
          <ul className={css['choices']}>
            <li>
              <button type="button" onClick={() => onAdd({ id: newId(), kind: 'goals', width: 4, height: 2 })}>
                {own.goals}
              </button>
            </li>
            {(['heatmap', 'vitals'] as const).map((each) => (
              <li key={each}>
                <button
                  type="button"
                  onClick={() => onAdd({ id: newId(), kind: each, width: each === 'heatmap' ? 12 : 6, height: 2 })}
                >
                  {own.tileKinds[each]}
                </button>
              </li>
            ))}
            {breakdownDimensions.map((dimension) => (
              <li key={dimension}>
                <button
                  type="button"
                  onClick={() => onAdd({ id: newId(), kind: 'breakdown', dimension, width: 4, height: 2 })}
                >
                  {words.tables[dimension]}
                </button>
              </li>
            ))}
          </ul>
        )}
        {kind === 'text' && (
          <ul className={css['choices']}>
            {(['heading', 'text'] as const).map((each) => (
              <li key={each}>
                <button type="button" onClick={() => setWrites(each)}>
                  {own[each]}
                </button>
              </li>
            ))}
            <li>
              <button type="button" onClick={() => onAdd({ id: newId(), kind: 'separator', width: 12, height: 1 })}>
                {own.tileKinds.separator}
              </button>
            </li>
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function Insights({ reference, onAdd }: Pick<AddTileProps, 'reference' | 'onAdd'>) {
  const edit = usePart(dashboardEditWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const { data } = useKnown(
    trpc.insights.saved.list.queryOptions({ project: reference, limit: SHOWN, ...(search !== '' && { search }) }),
  );

  const add = useMutation({
    mutationFn: ({ id }: InsightSummary) =>
      client.fetchQuery(trpc.insights.saved.get.queryOptions({ project: reference, insight: id })),
    onSuccess(insight) {
      const isWide = insight.kind === 'retention' || insight.kind === 'paths';
      onAdd({ id: newId(), kind: 'insight', insight: insight.id, width: isWide ? 12 : 6, height: 2 }, insight);
    },
    onError: useFailureToast(),
  });

  return (
    <>
      <input
        type="search"
        className="input"
        aria-label={edit.findInsight}
        placeholder={edit.findInsight}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {data?.items.length === 0 && <p className="dim">{edit.noInsights}</p>}
      <ul className={css['choices']}>
        {data?.items.map((item) => (
          <li key={item.id}>
            <button type="button" disabled={add.isPending} onClick={() => add.mutate(item)}>
              <Thumbnail preview={item.preview} />
              {item.name}
            </button>
          </li>
        ))}
      </ul>
      <ButtonLink small icon="plus" href={newInsightOf(reference)}>
        {edit.newInsight}
      </ButtonLink>
    </>
  );
}

/** Unique within a dashboard, also beside what someone else adds at the same time. */
function newId(): string {
  return crypto.randomUUID();
}
