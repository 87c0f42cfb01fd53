/** The fields of one condition: a property, how it is compared, and with what. What they say is read when it is wanted. */
import { useMutation } from '@tanstack/react-query';
import { type RefObject, use, useEffect, useId, useRef, useState } from 'react';
import type { FilterCondition } from '#src/columns/contract.ts';
import type { FilterOperator } from '#src/columns/filters/operators.ts';
import { arityOf, takesOf } from '#src/columns/filters/operators.ts';
import { readNumber } from '#src/kit/numbers/values.ts';
import { useAddress } from '#views/frame/queries.ts';
import { Select } from '#views/kit/Select.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import type { WhoKind } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { isDateTime, isNumber } from './address.ts';
import { DateChoice } from './DateChoice.tsx';
import css from './FilterEditor.module.css';
import { OfRows } from './of-rows.ts';
import { PropertyChoice } from './PropertyChoice.tsx';
import { useProperties } from './use-suggestions.ts';
import { ValueChoice } from './ValueChoice.tsx';
import { operatorsFor, type PropertyRef, sentValue } from './wording.ts';

/** The initially focused part. */
export type Part = 'property' | 'operator' | 'value';

export interface ConditionRead {
  /** Null when empty; 'wrong' after showing the error at the field. @param isNeeded empty is an error, too */
  read(isNeeded: boolean): Promise<FilterCondition | null | 'wrong'>;
}

export interface ConditionFieldsProps {
  /** Set to the function that reads the fields. */
  reader: RefObject<ConditionRead | null>;
  question: Question;
  /** Null: a new one. */
  condition: FilterCondition | null;
  part: Part;
  /** Only what events of themselves say is offered. */
  ofEvents?: boolean;
  /** Sets of persons are offered too. */
  onPeople?: ((kind: WhoKind) => void) | undefined;
  onDone(): void;
}

type Place = 'property' | 'value';

export function ConditionFields(props: ConditionFieldsProps) {
  const { reader, question, condition, part, ofEvents = false, onPeople, onDone } = props;
  const text = usePart(filterFormWords);
  const { words } = useWords();
  const project = useAddress()?.project ?? '';
  const known = useProperties(project);
  const ofRows = use(OfRows);
  const properties = known?.filter(({ rowsOnly }) => (ofRows && !ofEvents) || !rowsOnly) ?? null;
  const isPattern = useTrial(project);
  const [named, setNamed] = useState<PropertyRef | null>(condition);
  const [operator, setOperator] = useState<FilterOperator>(condition?.operator ?? 'equals');
  const [values, setValues] = useState<string[]>(condition?.values.map(String) ?? []);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState<Place>(part === 'property' ? 'property' : 'value');
  const [wrong, setWrong] = useState<{ at: Place; text: string } | null>(null);
  const box = useRef<HTMLDivElement>(null);

  const property = known?.find((each) => each.about === named?.about && each.name === named.name);
  const type = property?.type ?? null;
  const fitting = named === null ? [] : operatorsFor(named, type);
  const operators = fitting.includes(operator) || named === null ? fitting : [operator, ...fitting];
  const takes = takesOf(operator);
  const withValues = takes !== 'nothing';
  const isSingle = arityOf(operator)[1] === 1;

  // Once the popover is open the part that was pressed has the focus.
  useEffect(() => {
    box.current?.querySelector<HTMLElement>(part === 'operator' ? 'select' : 'input')?.focus();
  }, [part]);

  useEffect(() => {
    reader.current = { read };
  });

  function chooseProperty(chosen: PropertyRef, chosenType: string | null): void {
    const isOther = chosen.about !== named?.about || chosen.name !== named.name;
    setNamed(chosen);
    if (isOther) {
      setValues([]);
      setTyped('');
    }
    const [first] = operatorsFor(chosen, chosenType);
    const isFitting = operatorsFor(chosen, chosenType).includes(operator);
    if (!isFitting || (isOther && chosenType === 'datetime')) setOperator(first ?? 'equals');
    setWrong(null);
    setPlace('value');
    setTimeout(() => box.current?.querySelector<HTMLInputElement>('[data-value] input')?.focus());
  }

  async function read(isNeeded: boolean): Promise<FilterCondition | null | 'wrong'> {
    if (named === null) return isNeeded ? refuse('property', text.needsProperty) : null;
    const said = sentAs(takes, named, typed, words.writing.locale);
    const left = said === '' ? values : isSingle ? [said] : [...new Set([...values, said])];
    if (takes === 'date') {
      const half = fieldsOfValue(box.current).find((field) => !field.checkValidity());
      half?.focus();
      if (half !== undefined) return 'wrong';
      if (!isDateTime(left[0] ?? '')) return refuse('value', text.needsDate);
    }
    if (withValues && left.length === 0) return refuse('value', text.needsValue);
    if (takes === 'number' && !isNumber(left[0] ?? '')) return refuse('value', text.needsNumber);
    const { about, name } = named;
    const set: FilterCondition = { about, name, operator, values: withValues ? left : [] };
    if (takes === 'pattern' && !(await isPattern(set))) return refuse('value', text.noPattern);
    return set;
  }

  function refuse(at: Place, why: string): 'wrong' {
    setWrong({ at, text: why });
    setPlace(at);
    (at === 'value' ? fieldsOfValue(box.current)[0] : box.current?.querySelector('input'))?.focus();
    return 'wrong';
  }

  return (
    <div ref={box} className={css['editor']}>
      <PropertyChoice
        properties={properties}
        named={named}
        ofEvents={ofEvents}
        isOpen={place === 'property'}
        error={wrong?.at === 'property' ? wrong.text : undefined}
        onOpen={() => setPlace('property')}
        onChoose={chooseProperty}
        onPeople={onPeople}
      />
      {named !== null && (
        <>
          <OperatorChoice
            operator={operator}
            operators={operators}
            onChange={(next) => {
              setOperator(next);
              // A value of another type is no date, and vice versa.
              if ((takesOf(next) === 'date') !== (takes === 'date')) {
                setValues([]);
                setTyped('');
              }
              setWrong(null);
              setPlace('value');
            }}
          />
          {takes === 'date' && (
            <DateChoice
              key={`${named.about} ${named.name}`}
              value={typed === '' ? (values[0] ?? '') : typed}
              isMissing={wrong?.at === 'value'}
              onChange={(next) => {
                setValues([]);
                setTyped(next);
                setWrong(null);
              }}
            />
          )}
          {withValues && takes !== 'date' && (
            <ValueChoice
              project={project}
              range={question.range}
              named={named}
              operator={operator}
              values={isSingle ? [] : values}
              typed={isSingle && typed === '' ? (values[0] ?? '') : typed}
              isSingle={isSingle}
              isOffered={takes === 'value'}
              isListed={!property?.rowsOnly}
              isOpen={place === 'value'}
              error={wrong?.at === 'value' ? wrong.text : undefined}
              onType={(next) => {
                if (isSingle) setValues([]);
                setTyped(next);
                setWrong(null);
              }}
              onValues={(next) => {
                setValues(next);
                setTyped('');
                setWrong(null);
              }}
              onDone={onDone}
            />
          )}
        </>
      )}
    </div>
  );
}

interface OperatorChoiceProps {
  operator: FilterOperator;
  operators: readonly FilterOperator[];
  onChange(operator: FilterOperator): void;
}

function OperatorChoice({ operator, operators, onChange }: OperatorChoiceProps) {
  const text = usePart(filterFormWords);
  const { operators: texts } = usePart(filterWords);
  const id = useId();
  return (
    <label className={css['label']} htmlFor={id}>
      <span className="visually-hidden">{text.operator}</span>
      <Select
        id={id}
        className="input"
        value={operator}
        onChange={({ target }) => onChange(target.value as FilterOperator)}
      >
        {operators.map((each) => (
          <option key={each} value={each}>
            {texts[each]}
          </option>
        ))}
      </Select>
    </label>
  );
}

function fieldsOfValue(box: HTMLElement | null): HTMLInputElement[] {
  return [...(box?.querySelectorAll<HTMLInputElement>('[data-value] input') ?? [])];
}

/** Converts the typed text to the sent value. */
function sentAs(takes: ReturnType<typeof takesOf>, named: PropertyRef, typed: string, locale: string): string {
  if (takes === 'number') return asNumber(typed, locale);
  return takes === 'pattern' ? typed : sentValue(named, typed);
}

/** A number as it is sent, with a point: it may be typed as the language of the screen writes it. */
function asNumber(typed: string, locale: string): string {
  const number = readNumber(typed, locale.startsWith('pt') ? 'comma' : 'point');
  return Number.isNaN(number) ? typed.trim() : String(number);
}

/** Validates a pattern on the server. */
function useTrial(project: string): (condition: FilterCondition) => Promise<boolean> {
  const trpc = useTrpc();
  const { mutateAsync } = useMutation(trpc.insights.tryFilters.mutationOptions());
  return async (condition) => {
    try {
      await mutateAsync({ project, filters: { match: 'all', of: [condition] } });
      return true;
    } catch (error) {
      return failureOf(error).code !== 'invalid'; // other failures are shown with the numbers
    }
  };
}
