/** Starts an experiment, or changes what a running one measures. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Experiment, ExperimentDefinition, Metric } from '#src/experiments/contract.ts';
import {
  MAX_ARMS,
  MAX_GUARDRAILS,
  MAX_NAME,
  MAX_PLANNED_LIFT,
  MAX_TEXT,
  MAX_WINDOW_DAYS,
  MIN_PLANNED_LIFT,
  PLANNED_LIFT,
} from '#src/experiments/values.ts';
import { experimentsOf } from '#views/frame/addresses.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { experimentWords } from '#views/words/experiments.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Experiments.module.css';
import { MetricFields, type MetricFieldsProps } from './MetricFields.tsx';
import { type DraftMetric, draftOf, metricOf, missingIn } from './metric-draft.ts';

export function ExperimentForm({ reference, experiment }: { reference: string; experiment: Experiment | null }) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const { data: flags } = useSuspenseQuery(trpc.flags.list.queryOptions({ project: reference }));
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const create = useMutation(trpc.experiments.create.mutationOptions());
  const change = useMutation(trpc.experiments.change.mutationOptions());
  const offered = flags.filter(({ definition }) => {
    const variants = definition.filters.multivariate?.variants.length ?? 0;
    return variants >= 2 && variants <= MAX_ARMS;
  });
  const [flag, setFlag] = useState(String(experiment?.flag?.id ?? offered[0]?.id ?? ''));
  const first: Metric | null = goals[0] === undefined ? null : { kind: 'conversion', of: { goal: goals[0].id } };
  const [goal, setGoal] = useState(() => draftOf(experiment?.definition.goal ?? first));
  const [guardrails, setGuardrails] = useState(() =>
    (experiment?.definition.guardrails ?? []).map(({ metric, better }) => draftOf(metric, better)),
  );
  const back = experiment === null ? experimentsOf(reference) : `${experimentsOf(reference)}?open=${experiment.id}`;
  const form = useForm<string>({
    check: (values) => ({
      ...(values['name']?.trim() === '' && { name: own.missing }),
      ...(flag === '' && { flag: own.flagNone }),
      ...Object.fromEntries([goal, ...guardrails].flatMap(missingIn).map((field) => [field, own.missing])),
      ...(!isDays(values['window'] ?? '') && { window: own.windowWrong }),
      ...(!isLift(values['lift'] ?? '') && { lift: own.plannedLiftWrong }),
    }),
    async send(values) {
      const definition: ExperimentDefinition = {
        goal: metricOf(goal),
        windowDays: Number(values['window']),
        plannedLift: percentOf(values['lift'] ?? '') / 100,
        guardrails: guardrails.map((each) => ({ metric: metricOf(each), better: each.better })),
      };
      const sent = {
        project: reference,
        name: values['name'] ?? '',
        hypothesis: values['hypothesis'] ?? '',
        definition,
      };
      const saved =
        experiment === null
          ? await create.mutateAsync({ ...sent, flag: Number(flag) })
          : await change.mutateAsync({ ...sent, experiment: experiment.id });
      await client.invalidateQueries({ queryKey: trpc.experiments.pathKey() });
      showToast(experiment === null ? own.started : own.saved);
      navigate(`${experimentsOf(reference)}?open=${saved.id}`);
    },
    words: ({ code, field }) => (code === 'conflict' && field === 'flag' ? { flag: own.flagTaken } : null),
  });
  const { errors, failure, busy } = form;
  const metricFields = { reference, goals, errors };
  return (
    <form data-own="" className={css['form']} onSubmit={form.onSubmit} noValidate>
      <NeedsScript />
      <h2>{experiment === null ? own.newTitle : own.editTitle}</h2>
      <TextField
        label={own.name}
        error={errors['name']}
        name="name"
        defaultValue={experiment?.name ?? ''}
        maxLength={MAX_NAME}
        autoComplete="off"
      />
      <TextField
        label={own.hypothesis}
        hint={own.hypothesisHint}
        name="hypothesis"
        defaultValue={experiment?.hypothesis ?? ''}
        maxLength={MAX_TEXT}
        autoComplete="off"
      />
      {experiment === null && (
        <SelectField
          label={own.flag}
          hint={offered.length === 0 ? own.flagNone : own.flagHint}
          error={errors['flag']}
          name="flag"
          value={flag}
          onChange={({ target }) => setFlag(target.value)}
        >
          {offered.map(({ id, key }) => (
            <option key={id} value={String(id)}>
              {key}
            </option>
          ))}
        </SelectField>
      )}
      <MetricFields label={own.goal} metric={goal} onChange={setGoal} {...metricFields} />
      <div className={css['pair']}>
        <TextField
          label={own.window}
          hint={own.windowHint}
          error={errors['window']}
          name="window"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(experiment?.definition.windowDays ?? 7)}
        />
        <TextField
          label={own.plannedLift}
          hint={own.plannedLiftHint}
          error={errors['lift']}
          name="lift"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={format.decimal((experiment?.definition.plannedLift ?? PLANNED_LIFT) * 100)}
        />
      </div>
      <Guardrails metrics={guardrails} first={first} onChange={setGuardrails} {...metricFields} />
      <FormError>{failure && (failure.field?.startsWith('definition') ? own.noAmount : own.failed)}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={busy && (experiment === null ? own.starting : own.saving)}>
          {experiment === null ? own.start : own.save}
        </Button>
        <ButtonLink href={back}>{own.cancel}</ButtonLink>
      </div>
    </form>
  );
}

interface GuardrailsProps extends Pick<MetricFieldsProps, 'reference' | 'goals' | 'errors'> {
  metrics: readonly DraftMetric[];
  /** Proposed for a new one. */
  first: Metric | null;
  onChange(metrics: DraftMetric[]): void;
}

function Guardrails({ metrics, first, onChange, ...fields }: GuardrailsProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  return (
    <section className={css['part']} aria-label={own.guardrails}>
      <h3>{own.guardrails}</h3>
      <p className="dim">{own.guardrailsText}</p>
      {metrics.map((metric, at) => {
        const number = format.number(at + 1);
        const set = (next: DraftMetric) => onChange(metrics.with(at, next));
        return (
          <fieldset key={metric.id} className={css['guardrail']}>
            <legend>{own.guardrail(number)}</legend>
            <MetricFields label={own.guardrail(number)} metric={metric} onChange={set} {...fields} />
            <SelectField
              label={own.better}
              name={`better ${metric.id}`}
              value={metric.better}
              onChange={({ target }) => set({ ...metric, better: target.value as DraftMetric['better'] })}
            >
              {(['fewer', 'more'] as const).map((each) => (
                <option key={each} value={each}>
                  {own.betters[each]}
                </option>
              ))}
            </SelectField>
            <div>
              <Button small kind="quiet" icon="x" onClick={() => onChange(metrics.toSpliced(at, 1))}>
                {own.removeGuardrail(number)}
              </Button>
            </div>
          </fieldset>
        );
      })}
      <div>
        <Button
          small
          icon="plus"
          disabled={metrics.length >= MAX_GUARDRAILS}
          onClick={() => onChange([...metrics, draftOf(first)])}
        >
          {own.addGuardrail}
        </Button>
      </div>
    </section>
  );
}

function isDays(text: string): boolean {
  return /^\d{1,2}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_WINDOW_DAYS;
}

/** Percents are written with a comma as well. */
function percentOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
}

function isLift(text: string): boolean {
  const lift = percentOf(text) / 100;
  return lift >= MIN_PLANNED_LIFT && lift <= MAX_PLANNED_LIFT;
}
