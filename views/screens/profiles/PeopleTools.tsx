/** Search, filters, order and columns of the list of people. The state is in the URL; forms work without JavaScript. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { COHORT } from '#src/columns/values.ts';
import type { rangePresets } from '#src/kit/values.ts';
import { MAX_COLUMNS, MAX_TEXT_LENGTH, peopleSorts, propertyOperators } from '#src/profiles/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Chip } from '#views/kit/Chip.tsx';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useProperties } from '#views/question/filters/use-suggestions.ts';
import { useTrpc } from '#views/trpc.ts';
import { filterWords } from '#views/words/filters.ts';
import { peopleWords } from '#views/words/people.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './People.module.css';
import {
  isByActivity,
  noQuestion,
  type PeopleQuestion,
  paramsOf,
  peopleAddress,
  readPeople,
} from './people-address.ts';

interface Asking {
  project: string;
  question: PeopleQuestion;
}

export function PeopleTools({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const forms = useRef<HTMLDivElement>(null);
  useResetForms(forms, paramsOf(question).toString());
  const { property, cohort, columns } = question;
  return (
    <div ref={forms} className={css['tools']}>
      <Form project={project} carried={{ ...question, search: '' }} className={css['search']}>
        <TextField
          label={text.search}
          hint={text.searchHint}
          type="search"
          name="search"
          defaultValue={question.search}
          maxLength={MAX_TEXT_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
        <Button type="submit" icon="search">
          {text.find}
        </Button>
      </Form>
      <details className={css['more']} open={property !== null || cohort !== null || columns.length > 0}>
        <summary>
          <Icon name="filter" />
          {text.filtersAndColumns}
        </summary>
        <PropertyFilter project={project} question={question} />
        <Late fallback={null}>
          <CohortFilter project={project} question={question} />
        </Late>
        {columns.length < MAX_COLUMNS && <AddColumn key={columns.length} project={project} question={question} />}
      </details>
      <Choices project={project} question={question} />
      <Chips project={project} question={question} />
    </div>
  );
}

/** Typed text that was not submitted is discarded. */
function useResetForms(forms: RefObject<HTMLElement | null>, asked: string): void {
  const before = useRef(asked);
  useLayoutEffect(() => {
    if (before.current === asked) return;
    before.current = asked;
    for (const form of forms.current?.querySelectorAll('form') ?? []) form.reset();
  }, [forms, asked]);
}

interface FormProps {
  project: string;
  /** Hidden fields that keep the other filters when a form is sent without JavaScript. */
  carried: PeopleQuestion;
  className: string | undefined;
  children: ReactNode;
}

function Form({ project, carried, className, children }: FormProps) {
  const { navigate } = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) params.append(name, String(value));
    navigate(peopleAddress(project, readPeople(params)));
  };
  return (
    <form method="get" action={peopleAddress(project, noQuestion)} onSubmit={onSubmit} className={className}>
      {[...paramsOf(carried)].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

function PropertyFilter({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const { operators } = usePart(filterWords);
  const { property } = question;
  return (
    <Form project={project} carried={{ ...question, property: null }} className={css['filter']}>
      <PropertyField
        key={`property ${property?.name ?? ''}`}
        project={project}
        label={text.property}
        name="property"
        initial={property?.name ?? ''}
      />
      <SelectField
        key={`condition ${property?.operator ?? ''}`}
        label={text.condition}
        name="condition"
        defaultValue={property?.operator ?? 'equals'}
      >
        {propertyOperators.map((operator) => (
          <option key={operator} value={operator}>
            {operators[operator]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.value}
        name="value"
        defaultValue={property?.value ?? ''}
        maxLength={MAX_TEXT_LENGTH}
        autoComplete="off"
      />
      <Button type="submit" icon="filter">
        {text.filter}
      </Button>
    </Form>
  );
}

function CohortFilter({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const trpc = useTrpc();
  const { data: cohorts } = useSuspenseQuery(trpc.insights.cohorts.list.queryOptions({ project }));
  if (cohorts.length === 0) return null;
  return (
    <Form project={project} carried={{ ...question, cohort: null }} className={css['filter']}>
      <SelectField key={question.cohort} label={text.cohort} name="cohort" defaultValue={question.cohort ?? ''}>
        <option value="">{text.anyCohort}</option>
        {cohorts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button type="submit" icon="filter">
        {text.filterByCohort}
      </Button>
    </Form>
  );
}

function AddColumn({ project, question }: Asking) {
  const text = usePart(peopleWords);
  return (
    <Form project={project} carried={question} className={css['filter']}>
      <PropertyField project={project} label={text.column} name="column" initial="" />
      <Button type="submit" icon="plus">
        {text.addColumn}
      </Button>
    </Form>
  );
}

/** A property of persons, of those that there are or any other. */
function PropertyField(props: { project: string; label: string; name: string; initial: string }) {
  const [value, setValue] = useState(props.initial);
  const known = useProperties(props.project) ?? [];
  return (
    <ComboboxField
      label={props.label}
      name={props.name}
      value={value}
      options={known.filter(({ about }) => about === 'person').map(({ name }) => name)}
      mono
      maxLength={MAX_TEXT_LENGTH}
      required
      onChange={setValue}
    />
  );
}

/** Ranges that are offered; another may stand in the address. */
const offeredRanges = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'all_time',
] as const satisfies (typeof rangePresets)[number][];

function Choices({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const { words } = useWords();
  const { everybody, sort, range } = question;
  const hrefOf = (changes: Partial<PeopleQuestion>) => peopleAddress(project, { ...question, after: null, ...changes });
  return (
    <div className={css['choices']}>
      <Segmented
        label={text.who}
        segments={[
          { key: 'profiles', label: text.profiles, href: hrefOf({ everybody: false }), current: !everybody },
          { key: 'all', label: text.everybody, href: hrefOf({ everybody: true }), current: everybody },
        ]}
      />
      <Segmented
        label={text.order}
        className={css['segments']}
        segments={peopleSorts.map((each) => ({
          key: each,
          label: text.sorts[each],
          href: hrefOf({ sort: each }),
          current: each === sort,
        }))}
      />
      {isByActivity(question) && (
        <Segmented
          label={text.range}
          className={css['segments']}
          segments={offeredRanges.map((each) => ({
            key: each,
            label: words.range.presets[each],
            href: hrefOf({ range: each }),
            current: each === range,
          }))}
        />
      )}
    </div>
  );
}

function Chips({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const { operators, cohort: cohortWord } = usePart(filterWords);
  const { search, property, cohort, columns } = question;
  const hrefOf = (changes: Partial<PeopleQuestion>) => peopleAddress(project, { ...question, after: null, ...changes });
  if (search === '' && property === null && cohort === null && columns.length === 0) return null;
  return (
    <div className={css['choices']}>
      {search !== '' && (
        <Chip
          name={text.found}
          operator=""
          value={search}
          removeHref={hrefOf({ search: '' })}
          removeLabel={text.removeSearch}
        />
      )}
      {property !== null && (
        <Chip
          name={property.name === COHORT ? cohortWord : property.name}
          operator={operators[property.operator]}
          value={property.value}
          removeHref={hrefOf({ property: null })}
          removeLabel={text.removeFilter}
        />
      )}
      {cohort !== null && (
        <Chip
          name={cohortWord}
          operator={operators.equals}
          value={
            <Late fallback={cohort}>
              <CohortName project={project} cohort={cohort} />
            </Late>
          }
          removeHref={hrefOf({ cohort: null })}
          removeLabel={text.removeCohort}
        />
      )}
      {columns.map((column) => (
        <Chip
          key={column}
          name={text.column}
          operator=""
          value={column}
          removeHref={hrefOf({ columns: columns.filter((each) => each !== column) })}
          removeLabel={text.removeColumn(column)}
        />
      ))}
    </div>
  );
}

function CohortName({ project, cohort }: { project: string; cohort: number }) {
  const trpc = useTrpc();
  const { data: cohorts } = useSuspenseQuery(trpc.insights.cohorts.list.queryOptions({ project }));
  return cohorts.find(({ id }) => id === cohort)?.name ?? cohort;
}
