/** The history of a saved insight: who changed what and when; an earlier version can be restored. */
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { InsightRevision, InsightSummary } from '#src/insights/saved/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { ago } from '#views/words/relative.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './HistoryDialog.module.css';
import { useRefresh } from './use-refresh.ts';

interface HistoryProps {
  project: string;
  insight: InsightSummary;
  timeZone: string;
  onClose(): void;
}

export function HistoryDialog(props: HistoryProps) {
  const { history: text } = usePart(savedInsightWords);
  const { insight, onClose } = props;
  return (
    <Dialog label={text.of(insight.name)} onClose={onClose} className="ph-no-capture">
      <div className={css['history']}>
        <h2>{text.of(insight.name)}</h2>
        <Late>
          <Revisions {...props} />
        </Late>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{text.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}

function Revisions({ project, insight, timeZone, onClose }: HistoryProps) {
  const { history: text } = usePart(savedInsightWords);
  const trpc = useTrpc();
  const refresh = useRefresh();
  const revert = useMutation(trpc.insights.saved.revert.mutationOptions());
  const [failure, setFailure] = useState<unknown>(null);
  const { data } = useSuspenseQuery({
    ...trpc.insights.saved.history.queryOptions({ project, insight: insight.id }),
    staleTime: 0,
  });
  async function restore(revision: number): Promise<void> {
    try {
      await revert.mutateAsync({ project, insight: insight.id, revision });
      showToast(text.restored);
      await refresh();
      onClose();
    } catch (error) {
      setFailure(error);
    }
  }
  return (
    <>
      <FormError>{failure !== null && <Problem error={failure} />}</FormError>
      <ol className={css['list']}>
        {data.map((each, at) => (
          <li key={each.revision}>
            <Change revision={each} timeZone={timeZone} />
            {at === 0 ? (
              <span className="dim">{text.current}</span>
            ) : (
              <Button small busy={revert.isPending && text.restore} onClick={() => void restore(each.revision)}>
                {text.restore}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function Change({
  revision: { by, action, at, changed, name },
  timeZone,
}: {
  revision: InsightRevision;
  timeZone: string;
}) {
  const own = usePart(savedInsightWords);
  const { history: text } = own;
  const { words } = useWords();
  const now = useServerTime();
  return (
    <div>
      <p>
        <b>{by.name ?? own.formerMember}</b> {text.actions[action]}
        <span className="dim"> · {ago(at, now, timeZone, words)}</span>
      </p>
      <p className={css['what']}>
        {name}
        {changed.length > 0 && ` · ${changed.map((field) => text.fields[field]).join(', ')}`}
      </p>
    </div>
  );
}
