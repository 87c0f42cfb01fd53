/** One experiment: what it found, whether that can be trusted, and the decision. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Experiment, ExperimentResult, MetricResult } from '#src/experiments/contract.ts';
import { MIN_CONVERSIONS, MIN_DAYS, PLANNED_LIFT, SAMPLE_RATIO_ALPHA } from '#src/experiments/values.ts';
import { experimentsOf, flagsOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState, State } from '#views/kit/State.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigation } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { experimentWords } from '#views/words/experiments.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Experiments.module.css';

export interface OpenExperimentProps {
  reference: string;
  experiment: Experiment;
  isMaker: boolean;
}

export function OpenExperiment({ reference, experiment, isMaker }: OpenExperimentProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const { timeZone } = useRoleIn(reference);
  const { flag, startedAt, endedAt, definition } = experiment;
  // Counted by the browser's call: the frame of the page need not wait for it.
  const { data, error, refetch } = useQuery({
    ...trpc.experiments.result.queryOptions({ project: reference, experiment: experiment.id }),
    enabled: flag !== null,
    retry: false,
  });
  const day = (at: number) => format.day(dateIn(at, timeZone), 0);
  const when = endedAt === null ? own.since(day(startedAt)) : own.between(day(startedAt), day(endedAt));
  const failure = error === null ? null : failureOf(error);
  return (
    <div className={css['open']}>
      <div className={css['part']}>
        <div className={css['head']}>
          <h2>{experiment.name}</h2>
          {isMaker && endedAt === null && (
            <ButtonLink small href={`${experimentsOf(reference)}?edit=${experiment.id}`}>
              {own.edit}
            </ButtonLink>
          )}
        </div>
        <p className="dim">
          {flag !== null && (
            <>
              {own.flag}{' '}
              <Link href={`${flagsOf(reference)}?edit=${flag.id}`} className="mono">
                {flag.key}
              </Link>
              ,{' '}
            </>
          )}
          {when}. {data && own.about(data.goal.name ?? own.goalGone, format.number(definition.windowDays))}
        </p>
        {experiment.hypothesis !== '' && <p>{experiment.hypothesis}</p>}
      </div>
      {endedAt !== null && (
        <section className={css['part']} aria-label={own.decide}>
          <h3>{own.decide}</h3>
          <p>
            {experiment.shipped === null ? own.notShipped : own.shipped(experiment.shipped)}
            {experiment.decision !== '' && `. ${experiment.decision}`}
          </p>
        </section>
      )}
      {flag === null && <State icon="flag" title={own.flagGone} />}
      {failure?.code === 'conflict' && <State icon="flag" title={own.flagFew} />}
      {failure !== null && failure.code !== 'conflict' && <FailedState error={error} retry={() => void refetch()} />}
      {flag !== null && error === null && data === undefined && <BarTableSkeleton rows={4} />}
      {data && <Results data={data} timeZone={timeZone} />}
      {isMaker && endedAt === null && <EndForm reference={reference} experiment={experiment} data={data ?? null} />}
      {isMaker && <DeleteExperiment reference={reference} experiment={experiment} />}
    </div>
  );
}

function Results({ data, timeZone }: { data: ExperimentResult; timeZone: string }) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { goal, guardrails, sampleRatio, several } = data;
  const all = goal.variants.reduce((sum, { people }) => sum + people, 0);
  const shareText = (parts: readonly number[]) => {
    const whole = parts.reduce((sum, part) => sum + part, 0);
    return parts.map((part) => format.percent(whole === 0 ? 0 : part / whole)).join(' : ');
  };
  const found = shareText(goal.variants.map(({ people }) => people));
  const expected = shareText(sampleRatio.shares);
  const isSmall = goal.variants.some(({ conversions }) => conversions < MIN_CONVERSIONS);
  const worse = guardrails.filter(({ variants, better }) =>
    variants.some(
      ({ isSignificant, lift }) => isSignificant && lift !== null && lift.value > 0 !== (better === 'more'),
    ),
  );
  return (
    <>
      <section className={css['verdict']} aria-live="polite">
        <Verdict data={data} found={found} expected={expected} timeZone={timeZone} />
        {worse.map(({ name }) => (
          <Callout key={name} tone="warn">
            {own.guardrailWorse(name ?? own.goalGone)}
          </Callout>
        ))}
      </section>
      <MetricTable metric={goal} good="more" />
      {guardrails.length > 0 && (
        <section className={css['part']} aria-label={own.guardrails}>
          <h3>{own.guardrails}</h3>
          {guardrails.map((metric, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: guardrails are their places
            <MetricTable key={at} metric={metric} good={metric.better} />
          ))}
        </section>
      )}
      {all > 0 && (
        <section className={css['part']} aria-label={own.checks}>
          <h3>{own.checks}</h3>
          <table className={css['table']}>
            <tbody>
              <tr>
                <th scope="row">{own.sampleRatio}</th>
                <td>{own.sampleText(found, expected)}</td>
                <td className={css['number']}>
                  {sampleRatio.p === null || sampleRatio.p >= SAMPLE_RATIO_ALPHA ? (
                    <span className={css['good']}>{own.sampleFine}</span>
                  ) : (
                    <span className={css['bad']}>{own.sampleOff}</span>
                  )}
                </td>
              </tr>
              <tr>
                <th scope="row">{own.several}</th>
                <td colSpan={2}>{own.severalText(format.number(several))}</td>
              </tr>
            </tbody>
          </table>
          {isSmall && <p className="dim">{own.small}</p>}
        </section>
      )}
    </>
  );
}

interface VerdictProps {
  data: ExperimentResult;
  found: string;
  expected: string;
  timeZone: string;
}

function Verdict({ data, found, expected, timeZone }: VerdictProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { verdict, needed, goal } = data;
  const { verdicts } = own;
  const lift = goal.variants.find(({ key }) => key === verdict.variant)?.lift ?? null;
  const neededText =
    needed === null ? null : own.neededText(format.number(needed.people), format.percent(PLANNED_LIFT));
  if (verdict.state === 'broken') {
    return (
      <>
        <h3>{verdicts.broken}</h3>
        <Callout tone="neg">{own.brokenText(found, expected)}</Callout>
      </>
    );
  }
  if (verdict.variant !== null && lift !== null) {
    const text = verdict.state === 'worse' ? verdicts.worse : verdicts.better;
    return (
      <>
        <h3>{text(verdict.variant, format.percent(Math.abs(lift.value)))}</h3>
        <p>{own.certainText(format.relative(lift.from), format.relative(lift.to))}</p>
      </>
    );
  }
  const at = needed?.at ?? null;
  const isLater = at !== null && at > data.until;
  return (
    <>
      <h3>
        {verdict.state === 'open'
          ? verdicts.open
          : isLater
            ? verdicts.earlyUntil(format.day(dateIn(at, timeZone), 0))
            : verdicts.early}
      </h3>
      <p>
        {verdict.state === 'open'
          ? own.openText
          : own.earlyText(format.number(MIN_DAYS), format.number(MIN_CONVERSIONS))}{' '}
        {neededText}
      </p>
    </>
  );
}

function MetricTable({ metric, good }: { metric: MetricResult; good: 'more' | 'fewer' }) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const number = classNames(css['number'], 'num');
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          <th scope="col">{metric.name ?? own.goalGone}</th>
          <th scope="col" className={css['number']}>
            {own.rate}
          </th>
          <th scope="col" className={css['number']}>
            {own.lift}
          </th>
          <th scope="col" className={classNames(css['number'], 'wide-only')}>
            {own.chance}
          </th>
        </tr>
      </thead>
      <tbody>
        {metric.variants.map(({ key, people, conversions, rate, lift, better, isSignificant }, at) => {
          const chance = better === null ? null : good === 'more' ? better : 1 - better;
          const tone = isSignificant && ((lift?.value ?? 0) > 0 === (good === 'more') ? css['good'] : css['bad']);
          return (
            <tr key={key}>
              <th scope="row">
                <span className="mono">{key}</span> {at === 0 && <span className="dim">({own.control})</span>}
                <span className={css['sub']}>{own.ofPeople(format.number(conversions), format.number(people))}</span>
              </th>
              <td className={number}>{rate === null ? missing : format.percent(rate)}</td>
              <td className={number}>
                {lift === null ? (
                  missing
                ) : (
                  <>
                    <span className={tone || undefined}>{format.relative(lift.value)}</span>
                    <span className={css['sub']}>
                      {own.fromTo(format.relative(lift.from), format.relative(lift.to))}
                    </span>
                  </>
                )}
              </td>
              <td className={classNames(number, 'wide-only')}>
                {at === 0 || chance === null ? missing : format.percent(chance)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface EndFormProps {
  reference: string;
  experiment: Experiment;
  data: ExperimentResult | null;
}

function EndForm({ reference, experiment, data }: EndFormProps) {
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

function DeleteExperiment({ reference, experiment }: { reference: string; experiment: Experiment }) {
  const own = usePart(experimentWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigation();
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
