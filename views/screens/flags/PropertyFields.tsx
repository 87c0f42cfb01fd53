/** One comparison of a condition: of a property with values that people really have, or of another flag. */
import type { Flag } from '#src/flags/contract.ts';
import { type FlagOperator, flagOperators, MAX_VALUES, operatorKinds } from '#src/flags/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { ComboboxField, ComboboxInput } from '#views/kit/ComboboxField.tsx';
import { SelectField } from '#views/kit/Field.tsx';
import { useProperties, useValues } from '#views/question/filters/use-suggestions.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Flags.module.css';
import type { DraftProperty } from './flag-draft.ts';

interface FieldsProps {
  property: DraftProperty;
  flags: readonly Flag[];
  errors: Partial<Record<string, string>>;
  onChange(property: DraftProperty): void;
  onRemove(): void;
}

export function PropertyFields({
  reference,
  property,
  errors,
  onChange,
  onRemove,
}: FieldsProps & { reference: string }) {
  const own = usePart(flagWords);
  const { id, key, operator, values } = property;
  const known = (useProperties(reference) ?? []).filter(({ about }) => about === 'person').map(({ name }) => name);
  const kind = operatorKinds[operator];
  return (
    <div className={css['property']}>
      <ComboboxField
        label={own.property}
        mono
        name={`property ${id}`}
        error={errors[`property ${id}`]}
        value={key}
        options={known}
        maxLength={400}
        onChange={(next) => onChange({ ...property, key: next })}
      />
      <SelectField
        label={own.operator}
        name={`operator ${id}`}
        value={operator}
        onChange={({ target }) => {
          const next = target.value as FlagOperator;
          const isList = operatorKinds[next] === 'values';
          const kept = values.length === 0 ? [''] : values;
          onChange({ ...property, operator: next, values: isList ? kept : kept.slice(0, 1) });
        }}
      >
        {flagOperators
          .filter((each) => operatorKinds[each] !== 'flag' && operatorKinds[each] !== 'cohort')
          .map((each) => (
            <option key={each} value={each}>
              {own.operators[each]}
            </option>
          ))}
      </SelectField>
      {kind !== 'nothing' && <Values reference={reference} property={property} errors={errors} onChange={onChange} />}
      <div className={css['remove']}>
        <Button kind="quiet" icon="x" iconOnly onClick={onRemove}>
          {own.removeProperty(key || own.property)}
        </Button>
      </div>
    </div>
  );
}

type ValuesProps = Pick<FieldsProps, 'property' | 'errors' | 'onChange'> & { reference: string };

function Values({ reference, property, errors, onChange }: ValuesProps) {
  const own = usePart(flagWords);
  const { id, key, operator, values } = property;
  const isList = operatorKinds[operator] === 'values';
  const named = isList && key.trim() !== '' ? { about: 'person' as const, name: key.trim() } : null;
  const { values: offered } = useValues(reference, 'last_28_days', named, values.at(-1) ?? '');
  const options = offered?.rows.map(([value]) => value) ?? [];
  const error = errors[`value ${id}`];
  const set = (at: number, value: string) => onChange({ ...property, values: values.with(at, value) });
  return (
    <div className={css['values']}>
      <span className={css['label']} aria-hidden="true">
        {own.compared}
      </span>
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no other identity than their place
        <div key={at} className={css['value']}>
          <ComboboxInput
            names={{ 'aria-label': own.compared, 'aria-invalid': error === undefined ? undefined : true }}
            name={`value ${id}`}
            value={value}
            options={options}
            maxLength={1000}
            onChange={(next) => set(at, next)}
          />
          {values.length > 1 && (
            <Button
              kind="quiet"
              icon="x"
              iconOnly
              onClick={() => onChange({ ...property, values: values.toSpliced(at, 1) })}
            >
              {own.removeValue(value)}
            </Button>
          )}
        </div>
      ))}
      {error !== undefined && <p className={css['wrong']}>{error}</p>}
      {isList && values.length < MAX_VALUES && (
        <div>
          <Button small kind="quiet" onClick={() => onChange({ ...property, values: [...values, ''] })}>
            {own.addValue}
          </Button>
        </div>
      )}
    </div>
  );
}

export function DependencyFields({ property, flags, onChange, onRemove }: FieldsProps) {
  const own = usePart(flagWords);
  const { id, key, values } = property;
  const flag = flags.find((each) => each.key === key);
  const variants = flag?.definition.filters.multivariate?.variants ?? [];
  return (
    <div className={css['property']}>
      <SelectField
        label={own.dependsOn}
        name={`property ${id}`}
        value={key}
        onChange={({ target }) => onChange({ ...property, key: target.value, values: ['true'] })}
      >
        {flags.map((each) => (
          <option key={each.id} value={each.key}>
            {each.key}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={own.dependsValue}
        name={`value ${id}`}
        value={values[0] ?? 'true'}
        onChange={({ target }) => onChange({ ...property, values: [target.value] })}
      >
        <option value="true">{variants.length > 0 ? own.anyVariant : own.valueOn}</option>
        <option value="false">{own.valueOff}</option>
        {variants.map((variant) => (
          <option key={variant.key} value={variant.key}>
            {variant.key}
          </option>
        ))}
      </SelectField>
      <div className={css['remove']}>
        <Button kind="quiet" icon="x" iconOnly onClick={onRemove}>
          {own.removeProperty(key)}
        </Button>
      </div>
    </div>
  );
}

/** What conditions need to know of a cohort. */
export interface CohortName {
  id: number;
  name: string;
}

export function CohortFields({
  property,
  cohorts,
  errors,
  onChange,
  onRemove,
}: Omit<FieldsProps, 'flags'> & { cohorts: readonly CohortName[] }) {
  const own = usePart(flagWords);
  const { id, operator, values } = property;
  const [value = ''] = values;
  const isKnown = cohorts.some((each) => String(each.id) === value);
  return (
    <div className={css['property']}>
      <SelectField
        label={own.operator}
        name={`operator ${id}`}
        value={operator}
        onChange={({ target }) => onChange({ ...property, operator: target.value as FlagOperator })}
      >
        {(['in', 'not_in'] as const).map((each) => (
          <option key={each} value={each}>
            {own.operators[each]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={own.cohort}
        name={`value ${id}`}
        error={errors[`value ${id}`]}
        value={value}
        onChange={({ target }) => onChange({ ...property, values: [target.value] })}
      >
        {!isKnown && <option value={value}>{own.unknownCohort}</option>}
        {cohorts.map((each) => (
          <option key={each.id} value={String(each.id)}>
            {each.name}
          </option>
        ))}
      </SelectField>
      <div className={css['remove']}>
        <Button kind="quiet" icon="x" iconOnly onClick={onRemove}>
          {own.removeProperty(own.cohort)}
        </Button>
      </div>
    </div>
  );
}
