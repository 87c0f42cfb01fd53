/** What is measured: a kind, and the goals or events that it is about. */
import { MAX_STEPS, type MetricKind, metricKinds } from '#src/experiments/values.ts';
import type { Goal } from '#src/insights/goals/contract.ts';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { useKnown } from '#views/goal/use-known.ts';
import { Button } from '#views/kit/Button.tsx';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { SelectField } from '#views/kit/Field.tsx';
import { experimentWords } from '#views/words/experiments.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Experiments.module.css';
import { type DraftMetric, type DraftPart, needsProperty, newPart, withKind } from './metric-draft.ts';

export interface MetricFieldsProps {
  reference: string;
  label: string;
  metric: DraftMetric;
  goals: readonly Pick<Goal, 'id' | 'name' | 'amount'>[];
  errors: Partial<Record<string, string>>;
  onChange(metric: DraftMetric): void;
}

export function MetricFields({ label, metric, onChange, ...fields }: MetricFieldsProps) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { kind, parts } = metric;
  const labelOf = (at: number) => {
    if (kind === 'funnel') return own.step(format.number(at + 1));
    if (kind === 'ratio') return at === 0 ? own.ratioOf : own.ratioPer;
    return own.measured;
  };
  return (
    <>
      <SelectField
        label={label}
        hint={own.kindHints[kind]}
        name={`kind ${metric.id}`}
        value={kind}
        onChange={({ target }) => onChange(withKind(metric, target.value as MetricKind))}
      >
        {metricKinds.map((each) => (
          <option key={each} value={each}>
            {own.kinds[each]}
          </option>
        ))}
      </SelectField>
      {parts.map((part, at) => (
        <PartFields
          key={part.id}
          kind={kind}
          label={labelOf(at)}
          part={part}
          onChange={(next) => onChange({ ...metric, parts: parts.with(at, next) })}
          {...fields}
        />
      ))}
      {kind === 'funnel' && (
        <div className={css['buttons']}>
          <Button
            small
            icon="plus"
            disabled={parts.length >= MAX_STEPS}
            onClick={() => onChange({ ...metric, parts: [...parts, newPart()] })}
          >
            {own.addStep}
          </Button>
          {parts.length > 2 && (
            <Button small kind="quiet" icon="x" onClick={() => onChange({ ...metric, parts: parts.slice(0, -1) })}>
              {own.removeStep(format.number(parts.length))}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface PartFieldsProps extends Pick<MetricFieldsProps, 'reference' | 'goals' | 'errors'> {
  kind: MetricKind;
  label: string;
  part: DraftPart;
  onChange(part: DraftPart): void;
}

function PartFields({ reference, kind, label, part, goals, errors, onChange }: PartFieldsProps) {
  const own = usePart(experimentWords);
  const { events, properties } = useKnown(reference);
  const typed = part.event.trim();
  const isUnknown = typed !== '' && events.length > 0 && !events.includes(typed);
  const isSum = kind === 'revenue' || (kind === 'ratio' && part.isSum);
  const offered = isSum ? goals.filter(({ id, amount }) => amount !== null || String(id) === part.goal) : goals;
  return (
    <>
      {kind === 'ratio' && (
        <SelectField
          label={label}
          name={`sum ${part.id}`}
          value={part.isSum ? 'sum' : 'count'}
          onChange={({ target }) => onChange({ ...part, isSum: target.value === 'sum' })}
        >
          <option value="count">{own.totalCount}</option>
          <option value="sum">{own.totalSum}</option>
        </SelectField>
      )}
      <SelectField
        label={kind === 'ratio' ? own.measuredOf(label) : label}
        name={`goal ${part.id}`}
        value={part.goal}
        onChange={({ target }) => onChange({ ...part, goal: target.value })}
      >
        {offered.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
        <option value="">{own.measuredEvent}</option>
      </SelectField>
      {part.goal === '' && (
        <ComboboxField
          label={own.event}
          mono
          name={`event ${part.id}`}
          hint={isUnknown ? own.eventUnknown : undefined}
          error={errors[`event ${part.id}`]}
          value={part.event}
          options={events}
          maxLength={MAX_STORED_NAME_LENGTH}
          onChange={(event) => onChange({ ...part, event })}
        />
      )}
      {needsProperty(kind, part) && (
        <ComboboxField
          label={own.property}
          mono
          name={`property ${part.id}`}
          error={errors[`property ${part.id}`]}
          value={part.property}
          options={properties}
          maxLength={MAX_STORED_NAME_LENGTH}
          onChange={(property) => onChange({ ...part, property })}
        />
      )}
    </>
  );
}
