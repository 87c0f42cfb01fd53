/** One experiment: what it found, whether that can be trusted, and the decision. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Experiment, ExperimentResult } from '#src/experiments/contract.ts';
import {
  MIN_CONVERSIONS,
  MIN_DAYS,
  PRE_DAYS,
  SAMPLE_RATIO_ALPHA,
  type SegmentName,
  segmentNames,
} from '#src/experiments/values.ts';
import { experimentsOf, flagsOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { SelectField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState, State } from '#views/kit/State.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { experimentWords } from '#views/words/experiments.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { DeleteExperiment, EndForm } from './EndExperiment.tsx';
import css from './Experiments.module.css';
import { MetricTable, titleOf } from './MetricTable.tsx';

const DAY_MS = 86_400_000;

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
  const [segment, setSegment] = useState<SegmentName | null>(null);
  // Counted by the browser's call: the frame of the page need not wait for it.
  const { data, error, refetch } = useQuery({
    ...trpc.experiments.result.queryOptions({
      project: reference,
      experiment: experiment.id,
      ...(segment && { breakdown: segment }),
    }),
    enabled: flag !== null,
    retry: false,
    placeholderData: keepPreviousData,
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
          {when}. {data && own.about(titleOf(data.goal, own), format.number(definition.windowDays))}
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
      {data && (
        <Results
          data={data}
          lift={definition.plannedLift}
          startedAt={startedAt}
          timeZone={timeZone}
          segment={segment}
          onSegment={setSegment}
        />
      )}
      {isMaker && endedAt === null && <EndForm reference={reference} experiment={experiment} data={data ?? null} />}
      {isMaker && <DeleteExperiment reference={reference} experiment={experiment} />}
    </div>
  );
}

interface ResultsProps {
  data: ExperimentResult;
  /** That is planned for. */
  lift: number;
  startedAt: number;
  timeZone: string;
  segment: SegmentName | null;
  onSegment(segment: SegmentName | null): void;
}

function Results({ data, lift, startedAt, timeZone, segment, onSegment }: ResultsProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { goal, guardrails, sampleRatio } = data;
  const all = goal.variants.reduce((sum, { people }) => sum + people, 0);
  const shareText = (parts: readonly number[]) => {
    const whole = parts.reduce((sum, part) => sum + part, 0);
    return parts.map((part) => format.percent(whole === 0 ? 0 : part / whole)).join(' : ');
  };
  const found = shareText(goal.variants.map(({ people }) => people));
  const expected = shareText(sampleRatio.shares);
  const worse = guardrails.filter(({ variants, better }) =>
    variants.some(
      ({ isSignificant, lift }) => isSignificant && lift !== null && lift.value > 0 !== (better === 'more'),
    ),
  );
  return (
    <>
      <section className={css['verdict']} aria-live="polite">
        <Verdict data={data} planned={lift} found={found} expected={expected} timeZone={timeZone} />
        {worse.map((metric) => (
          <Callout key={titleOf(metric, own)} tone="warn">
            {own.guardrailWorse(titleOf(metric, own))}
          </Callout>
        ))}
      </section>
      <MetricTable title={titleOf(goal, own)} metric={goal} good="more" />
      {all > 0 && <Segments data={data} segment={segment} onSegment={onSegment} />}
      {guardrails.length > 0 && (
        <section className={css['part']} aria-label={own.guardrails}>
          <h3>{own.guardrails}</h3>
          {guardrails.map((metric, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: guardrails are their places
            <MetricTable key={at} title={titleOf(metric, own)} metric={metric} good={metric.better} />
          ))}
        </section>
      )}
      {all > 0 && <Checks data={data} startedAt={startedAt} timeZone={timeZone} found={found} expected={expected} />}
    </>
  );
}

interface ChecksProps extends Pick<ResultsProps, 'data' | 'startedAt' | 'timeZone'> {
  found: string;
  expected: string;
}

function Checks({ data: { goal, sampleRatio, several, until }, startedAt, timeZone, found, expected }: ChecksProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const fullDays = Math.floor((until - startedAt) / DAY_MS);
  const isSmall = goal.variants.some(({ active }) => active < MIN_CONVERSIONS);
  const { p, changedAt } = sampleRatio;
  return (
    <section className={css['part']} aria-label={own.checks}>
      <h3>{own.checks}</h3>
      <table className={css['table']}>
        <tbody>
          <tr>
            <th scope="row">{own.sampleRatio}</th>
            <td>
              {changedAt === null
                ? own.sampleText(found, expected)
                : own.sampleChanged(found, format.day(dateIn(changedAt, timeZone), 0))}
            </td>
            <td className={css['number']}>
              {changedAt !== null ? (
                <span className={css['bad']}>{own.sampleUnchecked}</span>
              ) : p === null || p >= SAMPLE_RATIO_ALPHA ? (
                <span className={css['good']}>{own.sampleFine}</span>
              ) : (
                <span className={css['bad']}>{own.sampleOff}</span>
              )}
            </td>
          </tr>
          <tr>
            <th scope="row">{own.minimumRun}</th>
            <td>{own.minimumRunText(format.number(fullDays), format.number(MIN_DAYS))}</td>
            <td className={css['number']}>
              {fullDays >= MIN_DAYS ? <span className={css['good']}>{own.minimumRunDone}</span> : own.minimumRunShort}
            </td>
          </tr>
          <tr>
            <th scope="row">{own.several}</th>
            <td colSpan={2}>{own.severalText(format.number(several))}</td>
          </tr>
          {goal.reduction !== null && (
            <tr>
              <th scope="row">{own.reduction}</th>
              <td>{own.reductionText(format.number(PRE_DAYS))}</td>
              <td className={classNames(css['number'], 'num')}>{format.relative(-goal.reduction)}</td>
            </tr>
          )}
          {goal.otherCurrencies > 0 && (
            <tr>
              <th scope="row">{own.currencies}</th>
              <td colSpan={2}>{own.currenciesText(format.number(goal.otherCurrencies))}</td>
            </tr>
          )}
          {goal.variants.map(
            ({ key, lift: found }) =>
              found && (
                <tr key={key}>
                  <th scope="row">{own.once(key)}</th>
                  <td colSpan={2}>{own.fromTo(format.relative(found.once.from), format.relative(found.once.to))}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      {isSmall && <p className="dim">{own.small}</p>}
    </section>
  );
}

function Segments({ data, segment, onSegment }: Pick<ResultsProps, 'data' | 'segment' | 'onSegment'>) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { segments, goal } = data;
  return (
    <section className={css['part']} aria-label={own.segments}>
      <div className={css['window']}>
        <SelectField
          label={own.segments}
          name="segment"
          value={segment ?? ''}
          onChange={({ target }) => onSegment(segmentNames.find((each) => each === target.value) ?? null)}
        >
          <option value="">{own.segmentNone}</option>
          {segmentNames.map((each) => (
            <option key={each} value={each}>
              {own.segmentNames[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {segment !== null && (
        <>
          <p className="dim">{own.segmentsText(format.number(segments.length))}</p>
          {segments.map(({ value, variants }) => (
            <MetricTable
              key={value}
              title={value === '' ? own.segmentMissing : segment === 'country' ? format.country(value) : value}
              metric={{ ...goal, variants }}
              good="more"
            />
          ))}
        </>
      )}
    </section>
  );
}

/** How far the smallest variant is. */
function Progress({ needed, found }: { needed: number; found: number }) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  return (
    <div className={css['progress']}>
      <p className="dim">{own.progress(format.number(found), format.number(needed))}</p>
      <svg className={css['meter']} aria-hidden="true">
        <rect className={css['track']} width="100%" height="8" />
        <rect className={css['reached']} width={`${Math.min(100, (found / needed) * 100).toFixed(1)}%`} height="8" />
      </svg>
    </div>
  );
}

interface VerdictProps {
  data: ExperimentResult;
  planned: number;
  found: string;
  expected: string;
  timeZone: string;
}

function Verdict({ data, planned, found, expected, timeZone }: VerdictProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { verdict, needed, goal } = data;
  const { verdicts } = own;
  const lift = goal.variants.find(({ key }) => key === verdict.variant)?.lift ?? null;
  if (verdict.state === 'broken') {
    return (
      <>
        <h3>{verdicts.broken}</h3>
        <Callout tone="neg">{own.brokenText(found, expected)}</Callout>
      </>
    );
  }
  if (verdict.variant !== null && lift !== null) {
    const isOfPeople = goal.kind === 'conversion' || goal.kind === 'funnel';
    const said = isOfPeople ? verdicts : own.totalVerdicts;
    const text = verdict.state === 'worse' ? said.worse : said.better;
    return (
      <>
        <h3>{text(verdict.variant, format.percent(Math.abs(lift.value)))}</h3>
        <p>{own.certainText(format.relative(lift.from), format.relative(lift.to))}</p>
      </>
    );
  }
  const at = needed?.at ?? null;
  const laterDay = at !== null && at > data.until ? format.day(dateIn(at, timeZone), 0) : null;
  // The heading has the day of what is early.
  const day = verdict.state === 'open' ? laterDay : null;
  const neededText = needed && own.neededText(format.number(needed.people), format.percent(planned), day);
  return (
    <>
      <h3>
        {verdict.state === 'open' ? verdicts.open : laterDay === null ? verdicts.early : verdicts.earlyUntil(laterDay)}
      </h3>
      <p>
        {verdict.state === 'open'
          ? own.openText
          : own.earlyText(format.number(MIN_DAYS), format.number(MIN_CONVERSIONS))}{' '}
        {neededText}
      </p>
      {needed && <Progress needed={needed.people} found={Math.min(...goal.variants.map(({ people }) => people))} />}
    </>
  );
}
