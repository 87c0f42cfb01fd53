/** One release condition: properties that all have to match, and the share of those that do. */
import type { Flag, FlagDefinition } from '#src/flags/contract.ts';
import { asksForNumbers, asksServer, MAX_PROPERTIES } from '#src/flags/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { flagWords } from '#views/words/flags.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Flags.module.css';
import {
  type Draft,
  type DraftCondition,
  type DraftProperty,
  newDependency,
  newMembership,
  newProperty,
} from './flag-draft.ts';
import { CohortFields, type CohortName, DependencyFields, PropertyFields } from './PropertyFields.tsx';

export interface ConditionFieldsProps {
  reference: string;
  draft: Draft;
  /** The draft as it would be sent. */
  definition: FlagDefinition;
  at: number;
  /** The other flags of the project. */
  flags: readonly Flag[];
  /** Cohorts of the project, for conditions on people; none for those on groups. */
  cohorts: readonly CohortName[];
  errors: Partial<Record<string, string>>;
  /** People for whom it decides; null: not known. */
  matched: number | null;
  people: number;
  onChange(conditions: DraftCondition[]): void;
}

export function ConditionFields(props: ConditionFieldsProps) {
  const { reference, draft, definition, at, flags, cohorts, errors, matched, people, onChange } = props;
  const own = usePart(flagWords);
  const { format } = useWords();
  const { conditions, variants, hasVariants } = draft;
  const condition = conditions[at] as DraftCondition;
  const { id, properties } = condition;
  const set = (over: Partial<DraftCondition>) =>
    onChange(conditions.map((each) => (each.id === id ? { ...each, ...over } : each)));
  const setProperty = (next: DraftProperty) =>
    set({ properties: properties.map((each) => (each.id === next.id ? next : each)) });
  const remove = (property: DraftProperty) => set({ properties: properties.filter((each) => each.id !== property.id) });
  const sent = definition.filters.groups[at];

  function moveUp(): void {
    const next = [...conditions];
    [next[at - 1], next[at]] = [condition, conditions[at - 1] as DraftCondition];
    onChange(next);
  }

  return (
    <fieldset className={css['condition']}>
      <legend>{own.condition(at + 1)}</legend>
      <div className={css['tools']}>
        {at > 0 && (
          <Button small kind="quiet" icon="arrowUp" iconOnly onClick={moveUp}>
            {own.moveUp(at + 1)}
          </Button>
        )}
        <Button
          small
          kind="quiet"
          icon="x"
          iconOnly
          onClick={() => onChange(conditions.filter((each) => each.id !== id))}
        >
          {own.removeCondition(at + 1)}
        </Button>
      </div>
      {properties.length === 0 && <p className="dim">{own.everyoneMatches}</p>}
      {properties.map((property) => {
        const fields = { property, flags, errors, onChange: setProperty, onRemove: () => remove(property) };
        if (property.type === 'flag') return <DependencyFields key={property.id} {...fields} />;
        if (property.type === 'cohort') return <CohortFields key={property.id} cohorts={cohorts} {...fields} />;
        return <PropertyFields key={property.id} reference={reference} {...fields} />;
      })}
      <div className={css['row']}>
        <Button
          small
          kind="quiet"
          icon="plus"
          disabled={properties.length >= MAX_PROPERTIES}
          onClick={() => set({ properties: [...properties, newProperty()] })}
        >
          {own.addProperty}
        </Button>
        {flags.length > 0 && (
          <Button
            small
            kind="quiet"
            icon="plus"
            onClick={() => set({ properties: [...properties, newDependency(flags[0]?.key ?? '')] })}
          >
            {own.addDependency}
          </Button>
        )}
        {cohorts.length > 0 && (
          <Button
            small
            kind="quiet"
            icon="plus"
            disabled={properties.length >= MAX_PROPERTIES}
            onClick={() => set({ properties: [...properties, newMembership(cohorts[0]?.id ?? 0)] })}
          >
            {own.addCohort}
          </Button>
        )}
      </div>
      <div className={css['pair']}>
        <TextField
          label={own.rollout}
          error={errors[`rollout ${id}`]}
          name={`rollout ${id}`}
          inputMode="decimal"
          autoComplete="off"
          value={condition.rollout}
          onChange={({ target }) => set({ rollout: target.value })}
        />
        {hasVariants && (
          <SelectField
            label={own.forcedVariant}
            name={`forced ${id}`}
            value={condition.variant}
            onChange={({ target }) => set({ variant: target.value })}
          >
            <option value="">{own.byShare}</option>
            {variants.map(({ id: variant, key }) => (
              <option key={variant} value={key}>
                {key}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {matched !== null && people > 0 && (
        <p className="dim">{own.matched(format.number(matched), format.number(people))}</p>
      )}
      {asksServer(definition.filters, at) && <Hint text={own.asksServer} />}
      {sent?.properties.some(({ type }) => type === 'cohort') && <Hint text={own.asksCohort} />}
      {sent?.properties.some(asksForNumbers) && <Hint text={own.asksNumber} />}
    </fieldset>
  );
}

function Hint({ text }: { text: string }) {
  return (
    <p className={css['hint']}>
      <Icon name="info" small /> {text}
    </p>
  );
}
