/** Saves filters as a segment, renames or deletes one. */

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Filters } from '#src/columns/contract.ts';
import type { Segment } from '#src/insights/segments/contract.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { CheckField, FormError, TextField } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { segmentWords } from '#views/words/segments.ts';
import { usePart } from '#views/words/words.tsx';
import type { PeopleChosen } from './people-address.ts';
import css from './SegmentChoice.module.css';

export interface SegmentFormProps {
  project: string;
  /** Null: a new one, of the filters. */
  segment: Segment | null;
  filters: Filters | null;
  people: PeopleChosen | null;
  onClose(): void;
  /** With the number of a new one, null when it was deleted. */
  onDone(segment: number | null | undefined): Promise<void>;
}

export function SegmentForm({ project, segment, filters, people, onClose, onDone }: SegmentFormProps) {
  const text = usePart(segmentWords);
  const trpc = useTrpc();
  const save = useMutation(trpc.insights.segments.save.mutationOptions());
  const rename = useMutation(trpc.insights.segments.rename.mutationOptions());
  const remove = useMutation(trpc.insights.segments.remove.mutationOptions());
  const [error, setError] = useState<unknown>(null);
  const [isSure, setIsSure] = useState(false);
  const busy = save.isPending || rename.isPending || remove.isPending;
  const failure = error === null ? null : failureOf(error);
  const isTaken = failure?.code === 'conflict' && failure.field === 'name';
  const isInUse = failure?.code === 'conflict' && failure.field === 'uses';

  async function send(work: () => Promise<number | null | undefined>, done: string): Promise<void> {
    try {
      const result = await work();
      showToast(done);
      await onDone(result);
    } catch (failed) {
      setError(failed);
    }
  }

  function submit(form: HTMLFormElement): Promise<void> {
    const values = new FormData(form);
    const name = String(values.get('name'));
    return send(async () => {
      if (segment !== null) {
        await rename.mutateAsync({ project, segment: segment.id, name });
        return undefined;
      }
      const which = { filters: filters ?? { match: 'all' as const, of: [] }, ...(people && { people }) };
      return (await save.mutateAsync({ project, name, shared: values.get('shared') === 'on', ...which })).id;
    }, text.saved);
  }

  function askToRemove(): void {
    if (segment === null) return;
    setIsSure(true);
    if (!isSure) return;
    void send(async () => {
      await remove.mutateAsync({ project, segment: segment.id });
      return null;
    }, text.removed);
  }

  const title = segment === null ? text.save : text.rename;
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <form
        className={css['body']}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <h2>{title}</h2>
        <TextField
          label={text.name}
          name="name"
          required
          maxLength={MAX_SHOWN_NAME_LENGTH}
          defaultValue={segment?.name}
          autoComplete="off"
          error={isTaken ? text.taken : undefined}
        />
        {segment === null && <CheckField label={text.forTeam} name="shared" />}
        <FormError>
          {isInUse && text.inUse}
          {error !== null && !isTaken && !isInUse && <ErrorMessage error={error} />}
        </FormError>
        {isSure && segment !== null && <p role="alert">{text.removeSure(segment.name)}</p>}
        <div className={css['buttons']}>
          {segment !== null && <Button onClick={askToRemove}>{text.remove}</Button>}
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" kind="primary" busy={busy && text.saving}>
            {segment === null ? text.saveIt : text.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
