/** Sets one filter: a property, how it is compared, and with what. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, use, useEffect, useId, useRef, useState } from 'react';
import type { FilterCondition, FilterOperator, Filters } from '#src/columns/contract.ts';
import { useAddress } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { filterWords } from '#views/words/filters.ts';
import type { WhoKind } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { comparesDates, isDateTime, isNumber, MOST_CONDITIONS } from './address.ts';
import type { FilterItem } from './change.ts';
import { DateChoice } from './DateChoice.tsx';
import css from './FilterEditor.module.css';
import { OfRows } from './of-rows.ts';
import { PeopleForm } from './PeopleForm.tsx';
import { PropertyChoice } from './PropertyChoice.tsx';
import type { PeopleCriterion } from './people-address.ts';
import { useReading } from './reading.ts';
import { useProperties } from './use-suggestions.ts';
import { ValueChoice } from './ValueChoice.tsx';
import { type Named, operatorsFor, sentenceOf } from './wording.ts';

/** What is looked at first. */
export type Part = 'property' | 'operator' | 'value';

export interface FilterEditorProps {
  question: Question;
  /** Null: a new one. */
  condition: FilterCondition | null;
  part: Part;
  /** How a list is joined that is made here; absent: none is. */
  joint?: Filters['match'] | undefined;
  addressFor(item: FilterItem): string;
  /** Sets of persons are offered too. */
  addressForPeople?: (criterion: PeopleCriterion) => string;
}

type Place = 'property' | 'value';

export function FilterEditor({ addressForPeople, ...editor }: FilterEditorProps) {
  const [kind, setKind] = useState<WhoKind | null>(null);
  if (kind === null || addressForPeople === undefined) {
    return <ConditionForm {...editor} onPeople={addressForPeople && setKind} />;
  }
  return <PeopleForm question={editor.question} criterion={null} kind={kind} addressFor={addressForPeople} />;
}

type ConditionFormProps = Omit<FilterEditorProps, 'addressForPeople'> & {
  onPeople: ((kind: WhoKind) => void) | undefined;
};

function ConditionForm({ question, condition, part, joint, addressFor, onPeople }: ConditionFormProps) {
  const text = usePart(filterWords);
  const { words } = useWords();
  const { navigate } = useNavigation();
  const reading = useReading();
  const project = useAddress()?.project ?? '';
  const known = useProperties(project);
  const ofRows = use(OfRows);
  const properties = known?.filter(({ rowsOnly }) => ofRows || !rowsOnly) ?? null;
  const isPattern = useTrial(project);
  const [begun, setBegun] = useState<readonly FilterCondition[]>([]);
  const [named, setNamed] = useState<Named | null>(condition);
  const [operator, setOperator] = useState<FilterOperator>(condition?.operator ?? 'is');
  const [values, setValues] = useState<string[]>(condition?.values.map(String) ?? []);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState<Place>(part === 'property' ? 'property' : 'value');
  const [wrong, setWrong] = useState<{ at: Place; text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();

  const property = known?.find((each) => each.about === named?.about && each.name === named.name);
  const type = property?.type ?? null;
  const fitting = named === null ? [] : operatorsFor(named, type);
  const operators = fitting.includes(operator) || named === null ? fitting : [operator, ...fitting];
  const withValues = operator !== 'isSet' && operator !== 'isNotSet';
  const isSingle = comparesDates(operator) || ['matches', 'matchesNot', 'above', 'below'].includes(operator);

  // Once the popover is open the part that was pressed has the focus.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(part === 'operator' ? 'select' : 'input')?.focus();
  }, [part]);

  function chooseProperty(chosen: Named, chosenType: string | null): void {
    const isOther = chosen.about !== named?.about || chosen.name !== named.name;
    setNamed(chosen);
    if (isOther) setValues([]);
    const [first] = operatorsFor(chosen, chosenType);
    const isFitting = operatorsFor(chosen, chosenType).includes(operator);
    if (!isFitting || (isOther && chosenType === 'datetime')) setOperator(first ?? 'is');
    setWrong(null);
    setPlace('value');
    setTimeout(() => form.current?.querySelector<HTMLInputElement>('[data-value] input')?.focus());
  }

  /** @param more another condition follows, as an alternative to this one */
  async function finish(more = false): Promise<void> {
    if (named === null) {
      const [first] = begun;
      // The one that was begun last came to nothing.
      return first === undefined || more ? refuse('property', text.needsProperty) : leave(begun);
    }
    const isNumeric = operator === 'above' || operator === 'below';
    const said = isNumeric ? asNumber(typed) : typed;
    const left = said === '' ? values : isSingle ? [said] : [...new Set([...values, said])];
    if (comparesDates(operator) && !isDateTime(left[0] ?? '')) return refuse('value', text.needsDate);
    if (withValues && left.length === 0) return refuse('value', text.needsValue);
    if (isNumeric && !isNumber(left[0] ?? '')) {
      return refuse('value', text.needsNumber);
    }
    const { about, name } = named;
    const set: FilterCondition = { about, name, operator, values: withValues ? left : [] };
    if (operator.startsWith('matches') && !(await isPattern(set))) return refuse('value', text.noPattern);
    if (!more) return leave([...begun, set]);
    setBegun([...begun, set]);
    setNamed(null);
    setOperator('is');
    setValues([]);
    setTyped('');
    setPlace('property');
    setTimeout(() => form.current?.querySelector('input')?.focus());
  }

  function leave(conditions: readonly FilterCondition[]): void {
    const [only] = conditions;
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover();
    if (only === undefined) return;
    navigate(addressFor(conditions.length === 1 || joint === undefined ? only : { match: joint, of: [...conditions] }));
  }

  /** As it is sent: where a comma comes before the fraction, it may be typed so. */
  function asNumber(said: string): string {
    const isByComma = words.writing.locale.startsWith('pt') && /^\s*-?\d+,\d+\s*$/.test(said);
    return (isByComma ? said.replace(',', '.') : said).trim();
  }

  function refuse(at: Place, why: string): void {
    setWrong({ at, text: why });
    setPlace(at);
    form.current?.querySelector<HTMLInputElement>(at === 'value' ? '[data-value] input' : 'input')?.focus();
  }

  return (
    <form
      ref={form}
      className={css['editor']}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void finish();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void finish();
      }}
    >
      {joint !== undefined && begun.length > 0 && (
        <ul className={css['begun']} aria-label={text.group}>
          {begun.map((each) => (
            <li key={JSON.stringify(each)}>
              <span className="clip" suppressHydrationWarning>
                {sentenceOf(each, text, reading)}
              </span>{' '}
              <span className="dim">{text[joint]}</span>
            </li>
          ))}
        </ul>
      )}
      <PropertyChoice
        key={begun.length}
        properties={properties}
        named={named}
        isOpen={place === 'property'}
        error={wrong?.at === 'property' ? wrong.text : undefined}
        onOpen={() => setPlace('property')}
        onChoose={chooseProperty}
        onPeople={begun.length === 0 ? onPeople : undefined}
      />
      {named !== null && (
        <>
          <label className={css['label']} htmlFor={id}>
            <span className="visually-hidden">{text.operator}</span>
            <select
              id={id}
              className="input"
              value={operator}
              onChange={({ target }) => {
                const next = target.value as FilterOperator;
                setOperator(next);
                // What was written to be compared otherwise is no date, and the other way round.
                if (comparesDates(next) !== comparesDates(operator)) {
                  setValues([]);
                  setTyped('');
                }
                setWrong(null);
                setPlace('value');
              }}
            >
              {operators.map((each) => (
                <option key={each} value={each}>
                  {text.operators[each]}
                </option>
              ))}
            </select>
          </label>
          {comparesDates(operator) && (
            <DateChoice
              value={typed === '' ? (values[0] ?? '') : typed}
              error={wrong?.at === 'value' ? wrong.text : undefined}
              onChange={(next) => {
                setValues([]);
                setTyped(next);
                setWrong(null);
              }}
            />
          )}
          {withValues && !comparesDates(operator) && (
            <ValueChoice
              project={project}
              range={question.range}
              named={named}
              operator={operator}
              values={isSingle ? [] : values}
              typed={isSingle && typed === '' ? (values[0] ?? '') : typed}
              isSingle={isSingle}
              isOffered={operator === 'is' || operator === 'isNot'}
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
              onDone={() => void finish()}
            />
          )}
        </>
      )}
      <div className={css['end']}>
        {joint !== undefined && begun.length < MOST_CONDITIONS - 1 && (
          <Button small kind="quiet" onClick={() => void finish(true)}>
            {text.another[joint]}
          </Button>
        )}
        <Button type="submit" kind="primary" small>
          {text.apply}
        </Button>
      </div>
    </form>
  );
}

/** Whether the server understands a pattern. */
function useTrial(project: string): (condition: FilterCondition) => Promise<boolean> {
  const trpc = useTrpc();
  const { mutateAsync } = useMutation(trpc.insights.tryFilters.mutationOptions());
  return async (condition) => {
    try {
      await mutateAsync({ project, filters: { match: 'all', of: [condition] } });
      return true;
    } catch (error) {
      return failureOf(error).code !== 'invalid'; // whatever else failed shows where the numbers are asked
    }
  };
}
