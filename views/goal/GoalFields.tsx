/** Fields of a goal that come more than once: conditions on an event, and the ways of an action. */
import { useId } from 'react';
import { type FilterOperator, filterOperators, takesOf } from '#src/columns/filters/operators.ts';
import { Button } from '#views/kit/Button.tsx';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { DateChoiceProps } from '#views/question/filters/DateChoice.tsx';
import { filterWords } from '#views/words/filters.ts';
import { goalWords } from '#views/words/goals.ts';
import { usePart } from '#views/words/words.tsx';
import { EventNameField } from './EventNameField.tsx';
import css from './GoalForm.module.css';
import { comparedBy, type DraftCondition, type DraftMatch, newCondition } from './goal-draft.ts';
import { useKnown } from './use-known.ts';

const DateChoice = lazyPart<DateChoiceProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).DateChoice,
);

const MAX_CONDITIONS = 10;

type Errors = Partial<Record<string, string>>;

export interface ConditionFieldsProps {
  reference: string;
  conditions: readonly DraftCondition[];
  errors: Errors;
  onChange(conditions: DraftCondition[]): void;
}

export function ConditionFields({ reference, conditions, errors, onChange }: ConditionFieldsProps) {
  const own = usePart(goalWords);
  const { operators: operatorTexts } = usePart(filterWords);
  const { properties } = useKnown(reference);
  const set = (key: number, over: Partial<DraftCondition>) =>
    onChange(conditions.map((each) => (each.key === key ? { ...each, ...over } : each)));
  return (
    <fieldset className={css['group']}>
      {conditions.length > 0 && <legend>{own.conditions}</legend>}
      {conditions.map((condition) => {
        const { key, name, operator, value } = condition;
        const ofValue = `value ${key}`;
        return (
          <div key={key} className={css['condition']}>
            <ComboboxField
              label={own.property}
              mono
              name={`property ${key}`}
              error={errors[`property ${key}`]}
              value={name}
              options={properties}
              onChange={(next) => set(key, { name: next })}
            />
            <SelectField
              label={own.operator}
              name={`operator ${key}`}
              value={operator}
              onChange={({ target }) => set(key, comparedBy(condition, target.value as FilterOperator))}
            >
              {filterOperators.map((each) => (
                <option key={each} value={each}>
                  {operatorTexts[each]}
                </option>
              ))}
            </SelectField>
            {takesOf(operator) === 'date' ? (
              <div className={css['when']}>
                <Late>
                  <DateChoice
                    name={ofValue}
                    isMissing={ofValue in errors}
                    value={value}
                    onChange={(next) => set(key, { value: next })}
                  />
                </Late>
              </div>
            ) : (
              takesOf(operator) !== 'nothing' && (
                <TextField
                  label={own.value}
                  name={ofValue}
                  error={errors[ofValue]}
                  value={value}
                  {...plain}
                  onChange={({ target }) => set(key, { value: target.value })}
                />
              )
            )}
            <Button
              small
              kind="quiet"
              icon="x"
              iconOnly
              className={css['remove']}
              onClick={() => onChange(conditions.filter((each) => each.key !== key))}
            >
              {own.removeCondition}
            </Button>
          </div>
        );
      })}
      {conditions.length < MAX_CONDITIONS && (
        <Button small className={css['add']} onClick={() => onChange([...conditions, newCondition()])}>
          {own.addCondition}
        </Button>
      )}
    </fieldset>
  );
}

const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

export interface MatchFieldsProps {
  reference: string;
  way: DraftMatch;
  number: number;
  errors: Errors;
  onChange(over: Partial<DraftMatch>): void;
  /** Null: it is the only one. */
  onRemove: (() => void) | null;
}

export function MatchFields({ reference, way, number, errors, onChange, onRemove }: MatchFieldsProps) {
  const own = usePart(goalWords);
  const { key, of } = way;
  const hintId = useId();
  const known = useKnown(reference);
  const ofField = (field: 'text' | 'href' | 'selector' | 'page', label: string) => ({
    label,
    name: `${field} ${key}`,
    error: errors[`${field} ${key}`],
    value: way[field],
  });
  const pattern = (field: 'selector' | 'page', label: string, hint?: string) => (
    <TextField
      {...ofField(field, label)}
      hint={hint}
      {...plain}
      onChange={({ target }) => onChange({ [field]: target.value })}
    />
  );
  const clicked = (field: 'text' | 'href', label: string, options: readonly string[]) => (
    <ComboboxField {...ofField(field, label)} options={options} onChange={(next) => onChange({ [field]: next })} />
  );
  return (
    <fieldset className={css['way']}>
      <legend>{own.way(number)}</legend>
      <SelectField
        label={own.wayKind}
        name={`of ${key}`}
        value={of}
        onChange={({ target }) => onChange({ of: target.value as DraftMatch['of'] })}
      >
        {(Object.keys(own.ways) as DraftMatch['of'][]).map((each) => (
          <option key={each} value={each}>
            {own.ways[each]}
          </option>
        ))}
      </SelectField>
      {of === 'event' && (
        <EventNameField
          reference={reference}
          name={`event ${key}`}
          error={errors[`event ${key}`]}
          value={way.event}
          onChange={(event) => onChange({ event })}
        />
      )}
      {of === 'element' && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset is read twice
        <div role="group" className={css['three']} aria-describedby={hintId}>
          {clicked('text', own.elementText, known.texts)}
          {clicked('href', own.elementHref, known.hrefs)}
          {pattern('selector', own.selector)}
          <p id={hintId} className={css['hint']}>
            {own.elementHint}
          </p>
        </div>
      )}
      {of === 'page' ? pattern('page', own.ways.page) : pattern('page', own.onPage, own.onPageHint)}
      <ConditionFields
        reference={reference}
        conditions={way.conditions}
        errors={errors}
        onChange={(conditions) => onChange({ conditions })}
      />
      {onRemove && (
        <Button small kind="quiet" className={css['add']} onClick={onRemove}>
          {own.removeWay}
        </Button>
      )}
    </fieldset>
  );
}
