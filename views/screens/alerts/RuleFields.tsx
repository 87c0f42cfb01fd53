/** Fields of what an alert watches, and when it fires. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { AlertSubject } from '#src/alerts/contract.ts';
import {
  alertConditions,
  alertIntervals,
  changeDirections,
  conditionsFor,
  ingestionNumbers,
  subjectKinds,
  unitOf,
} from '#src/alerts/values.ts';
import { issueSignals } from '#src/errors/values.ts';
import { overviewMetrics } from '#src/insights/kinds/overview/values.ts';
import type { EventFiltersProps } from '#views/insights/EventFilters.tsx';
import { CheckField, FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { readQuestion } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Alerts.module.css';
import { type Draft, insightsInput } from './alert-draft.ts';

const EventFilters = lazyPart<EventFiltersProps>(
  'insight-parts',
  async () => (await import('#views/areas/insight-parts.ts')).EventFilters,
);

/** Values that filters are chosen from are those of the last weeks. */
const everything = readQuestion(new URLSearchParams());

interface FieldsProps {
  draft: Draft;
  errors: Readonly<Record<string, string | undefined>>;
  onChange(over: Partial<Draft>): void;
}

export function SubjectFields({ project, draft, errors, onChange }: FieldsProps & { project: string }) {
  const own = usePart(alertWords);
  const { words } = useWords();
  return (
    <fieldset className={css['group']}>
      <legend>{own.watch}</legend>
      <SelectField
        label={own.subject}
        value={draft.kind}
        onChange={({ target }) => onChange(chosenKind(target.value as Draft['kind'], draft))}
      >
        {subjectKinds.map((kind) => (
          <option key={kind} value={kind}>
            {own.subjects[kind]}
          </option>
        ))}
      </SelectField>
      {draft.kind === 'metric' && (
        <SelectField
          label={own.metric}
          value={draft.metric}
          onChange={({ target }) => onChange({ metric: target.value as Draft['metric'] })}
        >
          {overviewMetrics.map((metric) => (
            <option key={metric} value={metric}>
              {words.metrics[metric]}
            </option>
          ))}
        </SelectField>
      )}
      {draft.kind === 'goal' && <GoalFields project={project} draft={draft} errors={errors} onChange={onChange} />}
      {draft.kind === 'insight' && <InsightField project={project} draft={draft} errors={errors} onChange={onChange} />}
      {draft.kind === 'issues' && <SignalFields draft={draft} errors={errors} onChange={onChange} />}
      {draft.kind === 'events' && (
        <TextField
          label={own.event}
          hint={own.eventHint}
          value={draft.event}
          maxLength={400}
          autoComplete="off"
          className="mono"
          onChange={({ target }) => onChange({ event: target.value })}
        />
      )}
      {draft.kind === 'ingestion' && (
        <SelectField
          label={own.ingestion}
          hint={own.ingestionHint}
          value={draft.ingestion}
          onChange={({ target }) => onChange({ ingestion: target.value as Draft['ingestion'] })}
        >
          {ingestionNumbers.map((each) => (
            <option key={each} value={each}>
              {own.ingestionNumbers[each]}
            </option>
          ))}
        </SelectField>
      )}
    </fieldset>
  );
}

function SignalFields({ draft, errors, onChange }: FieldsProps) {
  const own = usePart(alertWords);
  return (
    <fieldset className={css['members']}>
      <legend>{own.issuesOn}</legend>
      {issueSignals.map((signal) => (
        <CheckField
          key={signal}
          label={own.signals[signal]}
          checked={draft.on.includes(signal)}
          onChange={({ target }) =>
            onChange({
              on: issueSignals.filter((each) => (each === signal ? target.checked : draft.on.includes(each))),
            })
          }
        />
      ))}
      <p className="dim">{own.issuesHint}</p>
      <FormError>{errors['issues']}</FormError>
    </fieldset>
  );
}

/** Filters of a metric or goal. A separate form, outside of the alert's: forms cannot be nested. */
export function SubjectFilters({ draft, onChange }: Pick<FieldsProps, 'draft' | 'onChange'>) {
  const own = usePart(alertWords);
  if (draft.kind !== 'metric' && draft.kind !== 'goal') return null;
  return (
    <div className={css['filters']}>
      <p className={css['sub']}>{own.filters}</p>
      <Late>
        <EventFilters
          question={everything}
          row={own.filters}
          filters={draft.filters}
          onChange={(filters) => onChange({ filters })}
        />
      </Late>
    </div>
  );
}

/** With a condition that the number can have. */
function chosenKind(kind: Draft['kind'], { condition }: Draft): Partial<Draft> {
  return {
    kind,
    ...(conditionsFor({ kind }).includes(condition) ? {} : { condition: 'above' }),
    ...(kind === 'issues' && { interval: 'hour' }),
  };
}

function GoalFields({ project, draft, errors, onChange }: FieldsProps & { project: string }) {
  const own = usePart(alertWords);
  const { data: goals } = useSuspenseQuery(useTrpc().insights.goals.list.queryOptions({ project }));
  return (
    <div className={css['pair']}>
      <SelectField
        label={own.goal}
        name="goal"
        value={draft.goal}
        error={errors['goal']}
        onChange={({ target }) => onChange({ goal: target.value })}
      >
        <option value="">{own.choose}</option>
        {goals.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={own.goalOf}
        value={draft.of}
        onChange={({ target }) => onChange({ of: target.value as Draft['of'] })}
      >
        <option value="conversions">{own.conversions}</option>
        <option value="conversionRate">{own.conversionRate}</option>
      </SelectField>
    </div>
  );
}

function InsightField({ project, draft, errors, onChange }: FieldsProps & { project: string }) {
  const own = usePart(alertWords);
  const { data } = useSuspenseQuery(useTrpc().insights.saved.list.queryOptions(insightsInput(project)));
  return (
    <SelectField
      label={own.insight}
      name="insight"
      hint={own.insightHint}
      value={draft.insight}
      error={errors['insight']}
      onChange={({ target }) => onChange({ insight: target.value })}
    >
      <option value="">{own.choose}</option>
      {data.items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

export function ConditionFields({ draft, subject, errors, onChange }: FieldsProps & { subject: AlertSubject | null }) {
  const own = usePart(alertWords);
  const offered = subject === null ? alertConditions : conditionsFor(subject);
  return (
    <fieldset className={css['group']}>
      <legend>{own.rule}</legend>
      <div className={css['pair']}>
        <SelectField
          label={own.condition}
          value={draft.condition}
          onChange={({ target }) => onChange({ condition: target.value as Draft['condition'] })}
        >
          {offered.map((kind) => (
            <option key={kind} value={kind}>
              {own.conditions[kind]}
            </option>
          ))}
        </SelectField>
        <ConditionNumber draft={draft} subject={subject} errors={errors} onChange={onChange} />
      </div>
      {draft.condition === 'change' && (
        <SelectField
          label={own.direction}
          hint={own.usualHint}
          value={draft.direction}
          onChange={({ target }) => onChange({ direction: target.value as Draft['direction'] })}
        >
          {changeDirections.map((direction) => (
            <option key={direction} value={direction}>
              {own.directions[direction]}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={own.interval}
        hint={own.intervalHint}
        value={draft.interval}
        onChange={({ target }) => onChange({ interval: target.value as Draft['interval'] })}
      >
        {alertIntervals.map((interval) => (
          <option key={interval} value={interval}>
            {own.intervals[interval]}
          </option>
        ))}
      </SelectField>
    </fieldset>
  );
}

function ConditionNumber({ draft, subject, errors, onChange }: FieldsProps & { subject: AlertSubject | null }) {
  const own = usePart(alertWords);
  const field = ({ above: 'limit', below: 'limit', change: 'percent', silence: 'silent' } as const)[draft.condition];
  const unit = subject === null ? 'count' : unitOf(subject);
  const limit = { count: own.limit, percent: own.percentLimit, seconds: own.secondsLimit }[unit];
  return (
    <TextField
      label={{ limit, percent: own.percent, silent: own.silentFor }[field]}
      name={field}
      inputMode="decimal"
      value={draft[field]}
      error={errors[field]}
      maxLength={20}
      autoComplete="off"
      onChange={({ target }) => onChange({ [field]: target.value })}
    />
  );
}
