/** The query of a funnel: its steps, the rules by which they count, and by what it is broken down. */
import { useId } from 'react';
import type { FunnelInput } from '#src/insights/kinds/funnel/contract.ts';
import type { EventsQuery } from '#src/insights/query/people/contract.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Select } from '#views/kit/Select.tsx';
import { funnelWords } from '#views/words/funnel.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { BreakdownPart } from '../BreakdownPart.tsx';
import { CountedRow } from '../CountedRow.tsx';
import { EventsRow, moved } from '../EventsRow.tsx';
import type { Own } from '../insight.ts';
import type { CardsProps } from '../kind-view.ts';
import { NumberField, SwitchLine } from '../NumberLine.tsx';
import { OptionLine, OptionRow, QueryPart } from '../OptionRow.tsx';
import css from '../Query.module.css';

const MIN_STEPS = 2;
const MAX_STEPS = 10;
const MAX_EXCLUSIONS = 5;
const MAX_WINDOW = 10_000;
const orders = ['ordered', 'strict', 'any'] as const;
const pers = ['persons', 'visits'] as const;
const units = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;

export function FunnelCards(props: CardsProps<'funnel'>) {
  const { project, goals, insight, onChange } = props;
  const own = usePart(funnelWords);
  const { format } = useWords();
  const asked = insight.own;
  const steps = stepsOf(asked);
  const set = (next: readonly Step[]): void => onChange(withSteps(asked, next));
  return (
    <>
      <QueryPart title={own.steps}>
        <ol className={css['rows']}>
          {steps.map((step, index) => {
            const number = format.number(index + 1);
            return (
              <EventsRow
                // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
                key={index}
                project={project}
                question={insight.question}
                goals={goals}
                sign={number}
                name={own.stepNamed(number)}
                events={step.events}
                onChange={(events) => set(steps.map((each, at) => (at === index ? { ...each, events } : each)))}
                place={{
                  index,
                  count: steps.length,
                  onMove: (from, to) => set(moved(steps, from, to)),
                  onRemove: steps.length > MIN_STEPS ? () => set(steps.filter((_, at) => at !== index)) : undefined,
                  onDuplicate:
                    steps.length < MAX_STEPS
                      ? () => set([...steps.slice(0, index + 1), step, ...steps.slice(index + 1)])
                      : undefined,
                }}
              >
                {asked.order === 'ordered' && index > 0 && index < steps.length - 1 && (
                  <SwitchLine
                    label={own.optional}
                    name={`${own.optional}: ${own.stepNamed(number)}`}
                    isOn={step.isOptional}
                    onChange={(isOptional) =>
                      set(steps.map((each, at) => (at === index ? { ...each, isOptional } : each)))
                    }
                  />
                )}
              </EventsRow>
            );
          })}
        </ol>
        {steps.length < MAX_STEPS && (
          <button
            type="button"
            className={css['add']}
            onClick={() => set([...steps, { events: { event: null }, isOptional: false }])}
          >
            <Icon name="plus" />
            {own.add}
          </button>
        )}
      </QueryPart>
      <Rules {...props} />
      <Exclusions {...props} />
      <BreakdownPart project={project} own={asked} onChange={onChange}>
        <AttributionRow insight={insight} onChange={onChange} />
      </BreakdownPart>
    </>
  );
}

interface Step {
  events: EventsQuery;
  isOptional: boolean;
}

function stepsOf({ steps, optionalSteps }: Own<'funnel'>): Step[] {
  return steps.map((events, at) => ({ events, isOptional: optionalSteps.includes(at + 1) }));
}

/** Removes options that refer to a removed step, or to one that no longer allows them. */
function withSteps(asked: Own<'funnel'>, steps: readonly Step[]): Own<'funnel'> {
  const last = steps.length;
  const optionalSteps = steps.flatMap(({ isOptional }, at) => (isOptional && at > 0 && at + 1 < last ? at + 1 : []));
  const isThere = (step: number): boolean => step <= last && !optionalSteps.includes(step);
  const { attribution } = asked;
  return {
    ...asked,
    steps: steps.map(({ events }) => events),
    optionalSteps,
    exclusions: asked.exclusions.filter(({ afterStep, beforeStep }) => isThere(afterStep) && isThere(beforeStep)),
    attribution: typeof attribution === 'object' && attribution.step > last ? 'first' : attribution,
  };
}

/** Strict and any order know no optional steps, and any order no step by its number. */
function withOrder(asked: Own<'funnel'>, order: FunnelInput['order']): Own<'funnel'> {
  const { attribution, optionalSteps } = asked;
  return {
    ...asked,
    order,
    optionalSteps: order === 'ordered' ? optionalSteps : [],
    attribution: order === 'any' && typeof attribution === 'object' ? 'first' : attribution,
  };
}

/** Attribution of the breakdown. */
function AttributionRow({ insight, onChange }: Pick<CardsProps<'funnel'>, 'insight' | 'onChange'>) {
  const own = usePart(funnelWords);
  const { format } = useWords();
  const asked = insight.own;
  const { attribution, steps, order } = asked;
  const numbered = order === 'any' ? [] : steps.map((_, at) => String(at + 1));
  return (
    <OptionRow
      label={own.attribution}
      value={typeof attribution === 'object' ? String(attribution.step) : attribution}
      options={[
        ...(['first', 'last', 'all'] as const).map((value) => ({
          value: value as string,
          text: own.attributions[value],
        })),
        ...numbered.map((value) => ({ value, text: own.attributedTo(format.number(Number(value))) })),
      ]}
      onChange={(value) =>
        onChange({
          ...asked,
          attribution: numbered.includes(value) ? { step: Number(value) } : (value as 'first' | 'last' | 'all'),
        })
      }
    />
  );
}

function Rules({ insight, onChange }: CardsProps<'funnel'>) {
  const own = usePart(funnelWords);
  const asked = insight.own;
  const { count, unit } = asked.conversionWindow;
  return (
    <QueryPart title={own.rules}>
      <OptionRow
        label={own.order}
        value={asked.order}
        options={orders.map((value) => ({ value, text: own.orders[value] }))}
        onChange={(order) => onChange(withOrder(asked, order))}
      />
      <OptionLine label={own.window}>
        <span className={css['pair']}>
          <NumberField
            label={own.windowCount}
            value={count}
            min={1}
            max={MAX_WINDOW}
            onChange={(next) => onChange({ ...asked, conversionWindow: { count: next, unit } })}
          />
          <Select
            className={css['select']}
            aria-label={own.windowUnit}
            value={unit}
            onChange={({ target }) =>
              onChange({ ...asked, conversionWindow: { count, unit: target.value as typeof unit } })
            }
          >
            {units.map((each) => (
              <option key={each} value={each}>
                {own.units[each]}
              </option>
            ))}
          </Select>
        </span>
      </OptionLine>
      <CountedRow
        value={asked.per}
        others={pers.map((value) => ({ value, text: own.pers[value] }))}
        onChange={(per) => onChange({ ...asked, per })}
      />
    </QueryPart>
  );
}

type Exclusion = FunnelInput['exclusions'][number];

function Exclusions({ project, goals, insight, onChange }: CardsProps<'funnel'>) {
  const own = usePart(funnelWords);
  const { format } = useWords();
  const asked = insight.own;
  const { exclusions, steps } = asked;
  const set = (next: readonly Exclusion[]): void => onChange({ ...asked, exclusions: [...next] });
  // Between steps of any order there is no place.
  if (asked.order === 'any' && exclusions.length === 0) return null;
  const numbers = steps.map((_, at) => at + 1).filter((step) => !asked.optionalSteps.includes(step));
  return (
    <QueryPart title={own.exclusions}>
      <ul className={css['rows']}>
        {exclusions.map((exclusion, index) => {
          const replace = (next: Exclusion): void => set(exclusions.map((each, at) => (at === index ? next : each)));
          const { afterStep, beforeStep } = exclusion;
          return (
            <EventsRow
              // biome-ignore lint/suspicious/noArrayIndexKey: exclusions are their places
              key={index}
              project={project}
              question={insight.question}
              goals={goals}
              sign=""
              name={own.exclusionNamed(format.number(index + 1))}
              events={exclusion.event}
              onChange={(event) => replace({ ...exclusion, event })}
              place={{
                index,
                count: exclusions.length,
                onMove: (from, to) => set(moved(exclusions, from, to)),
                onRemove: () => set(exclusions.filter((_, at) => at !== index)),
              }}
            >
              <StepChoice
                label={own.after}
                numbers={numbers.filter((each) => each < beforeStep)}
                value={afterStep}
                onChange={(next) => replace({ ...exclusion, afterStep: next })}
              />
              <StepChoice
                label={own.before}
                numbers={numbers.filter((each) => each > afterStep)}
                value={beforeStep}
                onChange={(next) => replace({ ...exclusion, beforeStep: next })}
              />
            </EventsRow>
          );
        })}
      </ul>
      {exclusions.length < MAX_EXCLUSIONS && asked.order !== 'any' && (
        <button
          type="button"
          className={css['add']}
          onClick={() => set([...exclusions, { event: { event: null }, afterStep: 1, beforeStep: steps.length }])}
        >
          <Icon name="plus" />
          {own.addExclusion}
        </button>
      )}
    </QueryPart>
  );
}

interface StepChoiceProps {
  label: string;
  numbers: readonly number[];
  value: number;
  onChange(step: number): void;
}

function StepChoice({ label, numbers, value, onChange }: StepChoiceProps) {
  const { format } = useWords();
  const id = useId();
  return (
    <span className={css['measure']}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        className={css['select']}
        value={String(value)}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {numbers.map((each) => (
          <option key={each} value={each}>
            {format.number(each)}
          </option>
        ))}
      </Select>
    </span>
  );
}
