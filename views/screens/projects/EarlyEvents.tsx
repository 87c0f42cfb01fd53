/** Events whose date is not plausible: how many, and the button that deletes them. Shown when there are some. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_EARLY_COUNTED } from '#src/columns/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { Section } from './SettingsParts.tsx';
import css from './settings.module.css';

/** Dates are written without this year: all others with theirs. */
const WITH_YEAR = 0;

export interface EarlyEventsProps {
  project: string;
  timeZone: string;
}

export function EarlyEvents({ project, timeZone }: EarlyEventsProps) {
  const { early: own, cancel } = usePart(settingsWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const [isAsking, setAsking] = useState(false);
  const { data } = useSuspenseQuery(trpc.explorer.early.queryOptions({ project }));
  const { events, before } = data;
  const removal = useRemoval(project);
  if (before === null) return null;
  const text = format.number(Math.min(events, MAX_EARLY_COUNTED));
  const date = format.day(dateIn(before, timeZone), WITH_YEAR);
  const said = events > MAX_EARLY_COUNTED ? own.more(text, date) : own.some(events, text, date);
  return (
    <Section title={own.title} text={own.text}>
      <p className={css['note']}>{said}</p>
      <div>
        <Button className={`${css['danger']} script-only`} onClick={() => setAsking(true)}>
          {own.button}
        </Button>
      </div>
      {isAsking && (
        <Dialog label={own.question} onClose={() => setAsking(false)} className="ph-no-capture">
          <div className={css['dialog']}>
            <h2>{own.question}</h2>
            <p>
              {said} {own.forGood}
            </p>
            <FormError>{removal.error !== null && <ErrorMessage error={removal.error} />}</FormError>
            <div className={css['dialogActions']}>
              <Button onClick={() => setAsking(false)}>{cancel}</Button>
              <Button
                className={css['danger']}
                busy={removal.isRunning && own.deleting}
                onClick={() => removal.run(before)}
              >
                {own.confirm}
              </Button>
            </div>
          </div>
          {removal.dialog}
        </Dialog>
      )}
    </Section>
  );
}

/** Calls until nothing is left: each call deletes for a few seconds. */
function useRemoval(project: string) {
  const { early: own } = usePart(settingsWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const { prove, dialog } = useProof();
  const { mutateAsync } = useMutation(trpc.explorer.deleteEarly.mutationOptions());
  const removal = useMutation({
    async mutationFn(before: number) {
      for (let deleted = 0; ; ) {
        const step = await prove(() => mutateAsync({ project, before }));
        deleted += step?.events ?? 0;
        if (step === undefined || step.isDone) return deleted;
      }
    },
    async onSuccess(deleted) {
      if (deleted > 0) showToast(own.deleted(deleted, format.number(deleted)));
      await queryClient.invalidateQueries({ queryKey: trpc.explorer.early.queryKey() });
    },
  });
  return {
    run: removal.mutate,
    isRunning: removal.isPending,
    dialog,
    error: dialog === null ? removal.error : null,
  };
}
