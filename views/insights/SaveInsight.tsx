/** Saves what the editor shows: as a new insight, or as the next version of an open one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Display, SavedInsight } from '#src/insights/saved/contract.ts';
import { QUERY_VERSION, type SavedKind } from '#src/insights/saved/values.ts';
import { savedInsightOf } from '#views/frame/addresses.ts';
import { Button } from '#views/kit/Button.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import { type InsightNames, SaveDialog, SaveFailure } from './SaveDialog.tsx';
import css from './SaveInsight.module.css';

/** Insight in the editor. */
export interface ShownDefinition {
  kind: SavedKind;
  /** Input of the kind, without project and segment. */
  query: Record<string, unknown>;
  segment: number | null;
  display: Display;
}

interface SaveProps {
  project: string;
  shown: ShownDefinition;
  /** The insight that is open; null for a new one. */
  saved: SavedInsight | null;
  /** Whether `shown` differs from it. */
  isChanged: boolean;
}

export function SaveInsight({ project, shown, saved, isChanged }: SaveProps) {
  const { save: text } = usePart(savedInsightWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const create = useMutation(trpc.insights.saved.create.mutationOptions());
  const update = useMutation(trpc.insights.saved.update.mutationOptions());
  const [isNaming, setIsNaming] = useState(false);
  const { kind, query, segment, display } = shown;
  const definition = { kind, version: QUERY_VERSION, query, display, ...(segment !== null && { segment }) };

  async function show(insight: SavedInsight): Promise<void> {
    client.setQueryData(trpc.insights.saved.get.queryKey({ project, insight: insight.id }), insight);
    showToast(text.saved);
    navigate(savedInsightOf(project, insight.id));
    await client.invalidateQueries({ queryKey: trpc.insights.saved.list.queryKey() });
  }
  async function saveNew(names: InsightNames): Promise<void> {
    await show(await create.mutateAsync({ project, ...names, definition }));
  }
  function saveOpen({ id, revision }: SavedInsight): void {
    update.mutate({ project, insight: id, change: { definition, revision } }, { onSuccess: show });
  }
  return (
    <span className={css['save']}>
      {saved !== null && isChanged && <span className={css['unsaved']}>{text.unsaved}</span>}
      {saved !== null && isChanged && (
        <Button small onClick={() => setIsNaming(true)}>
          {text.saveAsNew}
        </Button>
      )}
      {(saved === null || isChanged) && (
        <Button
          small
          kind="primary"
          busy={update.isPending && text.saving}
          onClick={() => (saved === null ? setIsNaming(true) : saveOpen(saved))}
        >
          {text.save}
        </Button>
      )}
      {update.error !== null && isChanged && (
        <FormError>
          <SaveFailure failure={failureOf(update.error)} />
        </FormError>
      )}
      {isNaming && (
        <SaveDialog
          title={text.title}
          names={{ name: saved?.name ?? '', description: saved?.description ?? '', tags: saved?.tags ?? [] }}
          onSave={saveNew}
          onClose={() => setIsNaming(false)}
        />
      )}
    </span>
  );
}
