/** Ends an experiment with a decision, or deletes it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Experiment, ExperimentResult } from '#src/experiments/contract.ts';
import { experimentsOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { experimentWords } from '#views/words/experiments.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Experiments.module.css';

interface EndFormProps {
  reference: string;
  experiment: Experiment;
  data: ExperimentResult | null;
}

export function EndForm({ reference, experiment, data }: EndFormProps) {
  const own = usePart(experimentWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const end = useMutation(trpc.experiments.end.mutationOptions());
  const [isOpen, setIsOpen] = useState(false);
  const form = useForm<string>({
    check: () => ({}),
    async send(values) {
      const ship = values['ship'] === '' ? null : (values['ship'] ?? null);
      const decision = values['decision'] ?? '';
      await end.mutateAsync({ project: reference, experiment: experiment.id, ship, decision });
      await client.invalidateQueries({ queryKey: trpc.experiments.pathKey() });
      await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
      showToast(own.endedToast);
    },
    words: () => null,
  });
  if (!isOpen) {
    return (
      <div>
        <Button onClick={() => setIsOpen(true)}>{own.ship}</Button>
      </div>
    );
  }
  const { verdict } = data ?? {};
  return (
    <form className={classNames(css['part'], css['form'])} onSubmit={form.onSubmit} noValidate>
      <h3>{own.decide}</h3>
      {verdict?.state === 'early' && <p className="dim">{own.early}</p>}
      <SelectField
        label={own.shipVariant}
        hint={own.shipHint}
        name="ship"
        defaultValue={verdict?.state === 'better' ? (verdict.variant ?? '') : ''}
      >
        <option value="">{own.shipNothing}</option>
        {data?.goal.variants.map(({ key }) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </SelectField>
      <TextField label={own.decision} name="decision" maxLength={1000} autoComplete="off" />
      <FormError>{form.failure && own.failed}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={form.busy && own.ending}>
          {own.end}
        </Button>
        <Button kind="quiet" onClick={() => setIsOpen(false)}>
          {own.cancel}
        </Button>
      </div>
    </form>
  );
}

export function DeleteExperiment({ reference, experiment }: { reference: string; experiment: Experiment }) {
  const own = usePart(experimentWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const remove = useMutation(trpc.experiments.remove.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <div>
      <Button small kind="quiet" onClick={() => setIsConfirming(true)}>
        {own.delete}
      </Button>
      {isConfirming && (
        <Late>
          <AskFirst
            title={own.deleteTitle(experiment.name)}
            text={own.deleteText}
            action={own.delete}
            busy={own.deleting}
            onConfirm={async () => {
              await remove.mutateAsync({ project: reference, experiment: experiment.id });
              showToast(own.deleted);
              await client.invalidateQueries({ queryKey: trpc.experiments.pathKey() });
              navigate(experimentsOf(reference));
            }}
            onClose={() => setIsConfirming(false)}
          />
        </Late>
      )}
    </div>
  );
}
