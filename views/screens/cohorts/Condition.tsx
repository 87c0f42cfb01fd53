/** One condition of a cohort. */
import { filterOperators, takesOf } from '#src/columns/filters/operators.ts';
import type { RangePreset } from '#src/insights/contract.ts';
import { rangePresets } from '#src/kit/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { UnknownEvent, useSimilarNames } from '#views/question/UnknownEvent.tsx';
import { type ConditionKind, cohortWords } from '#views/words/cohorts.ts';
import { filterWords } from '#views/words/filters.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Cohorts.module.css';
import type { DraftCondition } from './cohort-draft.ts';

/** Conditions on what was before the period. */
const needsStart: ReadonlySet<ConditionKind> = new Set(['first', 'firstDid', 'stopped']);

export interface Known {
  events: readonly string[];
  properties: readonly string[];
  cohorts: readonly KnownCohort[];
}

export interface KnownCohort {
  name: string;
  /** Its conditions lead to the cohort that is changed. */
  isCircular: boolean;
}

export interface ConditionProps {
  reference: string;
  condition: DraftCondition;
  number: string;
  known: Known;
  errors: Readonly<Record<string, string | undefined>>;
  onChange(over: Partial<DraftCondition>): void;
  /** Null: the only one stays. */
  onRemove: (() => void) | null;
}

export function Condition({ condition, number, onRemove, ...parts }: ConditionProps) {
  const { onChange } = parts;
  const own = usePart(cohortWords);
  const { key, kind, kept } = condition;
  const kinds = (Object.keys(own.kinds) as ConditionKind[]).filter(
    (each) => parts.known.cohorts.length > 0 || (each !== 'in' && each !== 'notIn') || each === kind,
  );
  return (
    <fieldset className={css['condition']}>
      <legend className="visually-hidden">{own.condition(number)}</legend>
      {kept !== null && <p className="dim">{own.other}</p>}
      {kept === null && (
        <div className={css['fields']}>
          <SelectField
            label={own.kind}
            name={`kind-${key}`}
            value={kind}
            onChange={({ target }) => onChange({ kind: target.value as ConditionKind })}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {own.kinds[each]}
              </option>
            ))}
          </SelectField>
          <Fields {...parts} condition={condition} />
        </div>
      )}
      {onRemove !== null && (
        <Button small kind="quiet" icon="x" iconOnly onClick={onRemove}>
          {own.removeNamed(number)}
        </Button>
      )}
    </fieldset>
  );
}

type FieldsProps = Omit<ConditionProps, 'number' | 'onRemove'>;

function Fields(props: FieldsProps) {
  const { condition, known, errors, onChange } = props;
  const own = usePart(cohortWords);
  const { operators } = usePart(filterWords);
  const { key, kind, times, property, operator, value, cohort } = condition;
  if (kind === 'first') return <Within condition={condition} onChange={onChange} />;
  if (kind === 'firstDid' || kind === 'stopped') {
    return (
      <>
        <EventField {...props} />
        <Within condition={condition} onChange={onChange} />
      </>
    );
  }
  if (kind === 'sequence') return <Sequence {...props} />;
  if (kind === 'did' || kind === 'didNot') {
    return (
      <>
        <EventField {...props} />
        <TextField
          label={own.times}
          name={`times-${key}`}
          error={errors[`times-${key}`]}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={times}
          onChange={({ target }) => onChange({ times: target.value })}
        />
        <Within condition={condition} onChange={onChange} />
      </>
    );
  }
  if (kind === 'property') {
    return (
      <>
        <ComboboxField
          mono
          label={own.property}
          name={`property-${key}`}
          error={errors[`property-${key}`]}
          value={property}
          options={known.properties}
          maxLength={400}
          onChange={(next) => onChange({ property: next })}
        />
        <SelectField
          label={own.operator}
          name={`operator-${key}`}
          value={operator}
          onChange={({ target }) => onChange({ operator: target.value as DraftCondition['operator'] })}
        >
          {filterOperators.map((each) => (
            <option key={each} value={each}>
              {operators[each]}
            </option>
          ))}
        </SelectField>
        {takesOf(operator) !== 'nothing' && (
          <TextField
            label={own.value}
            name={`value-${key}`}
            error={errors[`value-${key}`]}
            autoComplete="off"
            maxLength={1000}
            value={value}
            onChange={({ target }) => onChange({ value: target.value })}
          />
        )}
      </>
    );
  }
  return (
    <SelectField
      label={own.columns.cohort}
      name={`cohort-${key}`}
      error={errors[`cohort-${key}`]}
      value={cohort}
      onChange={({ target }) => onChange({ cohort: target.value })}
    >
      <option value="" />
      {known.cohorts.map(({ name, isCircular }) => (
        <option key={name} value={name} disabled={isCircular}>
          {isCircular ? own.dependsOnThis(name) : name}
        </option>
      ))}
    </SelectField>
  );
}

/** One event, then another, within so many days. */
function Sequence(props: FieldsProps) {
  const { condition, errors, onChange } = props;
  const own = usePart(cohortWords);
  const { key, days } = condition;
  return (
    <>
      <EventField {...props} />
      <EventField {...props} of="next" />
      <TextField
        label={own.days}
        name={`days-${key}`}
        error={errors[`days-${key}`]}
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        value={days}
        onChange={({ target }) => onChange({ days: target.value })}
      />
      <Within condition={condition} onChange={onChange} />
    </>
  );
}

/** @param of the field of the condition */
function EventField({
  reference,
  condition,
  known,
  errors,
  onChange,
  of = 'event',
}: FieldsProps & { of?: 'event' | 'next' }) {
  const own = usePart(cohortWords);
  const { key } = condition;
  const event = condition[of];
  const similar = useSimilarNames(reference, event.trim());
  const choose = (next: string) => onChange({ [of]: next });
  return (
    <ComboboxField
      mono
      label={own[of]}
      name={`${of}-${key}`}
      hint={similar && <UnknownEvent suggestions={similar} onChoose={choose} />}
      error={errors[`${of}-${key}`]}
      value={event}
      options={known.events}
      maxLength={400}
      onChange={choose}
    />
  );
}

function Within({ condition: { key, kind, within }, onChange }: Pick<ConditionProps, 'condition' | 'onChange'>) {
  const own = usePart(cohortWords);
  const { words } = useWords();
  const dates = typeof within === 'string' ? null : `${within.from} – ${within.to}`;
  return (
    <SelectField
      label={kind === 'stopped' ? own.notSince : own.within}
      name={`within-${key}`}
      value={typeof within === 'string' ? within : 'dates'}
      onChange={({ target }) => target.value !== 'dates' && onChange({ within: target.value as RangePreset })}
    >
      {dates !== null && <option value="dates">{dates}</option>}
      {rangePresets
        .filter((preset) => preset !== 'all_time' || !needsStart.has(kind))
        .map((preset) => (
          <option key={preset} value={preset}>
            {words.range.presets[preset]}
          </option>
        ))}
    </SelectField>
  );
}
