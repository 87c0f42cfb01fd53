/** Keeps the people behind a number as a static cohort: asks for its name, and leads to it then. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cohort } from '#src/insights/cohorts/contract.ts';
import { MAX_COHORT_NAME } from '#src/insights/cohorts/values.ts';
import { cohortPeopleOf } from '#views/frame/cohort-people.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { pointPeopleWords } from '#views/words/point-people.ts';
import { usePart } from '#views/words/words.tsx';
import type { PointQuery } from './point-query.ts';
import css from './SaveDialog.module.css';

interface SaveCohortProps {
  reference: string;
  asked: PointQuery;
  /** Of the point: what the cohort is called unless another name is given. */
  name: string;
}

type SavedCohort = Pick<Cohort, 'id' | 'name'>;

export function SaveCohort({ reference, asked, name }: SaveCohortProps) {
  const own = usePart(pointPeopleWords);
  const [isNaming, setIsNaming] = useState(false);
  const [saved, setSaved] = useState<SavedCohort | null>(null);
  return (
    <>
      <Button small kind="primary" onClick={() => setIsNaming(true)}>
        {own.asCohort}
      </Button>
      <span role="status">
        {saved !== null && (
          <>
            {own.saved}{' '}
            <Link href={cohortPeopleOf(reference, saved.id)} ahead={false} className="link">
              {saved.name}
            </Link>
          </>
        )}
      </span>
      {isNaming && (
        <CohortDialog
          reference={reference}
          asked={asked}
          name={name}
          onSaved={setSaved}
          onClose={() => setIsNaming(false)}
        />
      )}
    </>
  );
}

interface CohortDialogProps extends SaveCohortProps {
  onSaved(cohort: SavedCohort): void;
  onClose(): void;
}

function CohortDialog({ reference, asked, name, onSaved, onClose }: CohortDialogProps) {
  const own = usePart(pointPeopleWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const create = useMutation(trpc.insights.cohorts.createFromPoint.mutationOptions());
  const { busy, errors, failure, onSubmit } = useForm<'name'>({
    check: (values): { name?: string } => (values.name.trim() === '' ? { name: own.missing } : {}),
    async send(values) {
      const { id, name: chosen } = await create.mutateAsync({
        project: reference,
        name: values.name.trim(),
        ...asked,
      });
      onSaved({ id, name: chosen });
      onClose();
      await client.invalidateQueries({ queryKey: trpc.insights.cohorts.list.queryKey() });
    },
    words: ({ code }) => (code === 'conflict' ? { name: own.nameTaken } : null),
  });
  return (
    <Dialog label={own.asCohort} onClose={onClose} className="ph-no-capture">
      <form className={css['form']} onSubmit={onSubmit} noValidate>
        <h2>{own.asCohort}</h2>
        <TextField
          label={own.name}
          hint={own.cohortHint}
          error={errors.name}
          name="name"
          required
          maxLength={MAX_COHORT_NAME}
          defaultValue={name.slice(0, MAX_COHORT_NAME)}
          autoComplete="off"
        />
        <FormError>{failure !== null && <Problem error={failure} />}</FormError>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.cancel}</Button>
          <Button type="submit" kind="primary" busy={busy && own.saving}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
