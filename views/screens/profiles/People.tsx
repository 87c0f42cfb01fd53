/** People: who is known, found by what is known of them. Search, filter, order and page stand in the address, and work as plain forms. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { COHORT } from '#src/columns/values.ts';
import { MAX_TEXT_LENGTH, propertyOperators } from '#src/profiles/values.ts';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { Page } from '#views/frame/Page.tsx';
import { PeopleTabs } from '#views/frame/PeopleTabs.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Chip } from '#views/kit/Chip.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { filterWords } from '#views/words/filters.ts';
import { peopleWords } from '#views/words/people.ts';
import { usePart } from '#views/words/words.tsx';
import css from './People.module.css';
import { PeopleTable } from './PeopleTable.tsx';
import { type PeopleQuestion, paramsOf, peopleAddress, peopleInput, readPeople } from './people-address.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const input = peopleInput(project, readPeople(props.search));
  return [
    ...frameQueries(trpc, props),
    { options: trpc.profiles.list.queryOptions(input), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'people', project, input })),
  ];
}

export function title(words: Words): string {
  return words.nav.people;
}

export function Screen({ params, search }: ScreenProps) {
  const text = usePart(peopleWords);
  const project = params['project'] ?? '';
  const address = search.toString();
  const question = useMemo(() => readPeople(new URLSearchParams(address)), [address]);
  return (
    <Page title={text.title}>
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content project={project} question={question} />
      </Late>
    </Page>
  );
}

interface Asking {
  project: string;
  question: PeopleQuestion;
}

function Content({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const { navigate } = useNavigation();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  return (
    <div className="ph-no-capture">
      <PeopleTabs project={project} current="people" />
      <Tools project={project} question={question} />
      <Region
        question={question}
        of={JSON.stringify(peopleInput(project, question))}
        label={text.title}
        counting={text.title}
        skeleton={<BarTableSkeleton rows={8} />}
        onCancel={(shown) => navigate(peopleAddress(project, shown), { replace: true })}
      >
        {(shown) => <PeopleTable project={project} question={shown} timeZone={timeZone} />}
      </Region>
    </div>
  );
}

function Tools({ project, question }: Asking) {
  const text = usePart(peopleWords);
  const { operators: operatorTexts, cohort } = usePart(filterWords);
  const { navigate } = useNavigation();
  const { search, property, everybody, sort } = question;
  const hrefOf = (changes: Partial<PeopleQuestion>) => peopleAddress(project, { ...question, after: null, ...changes });
  // What was typed and not asked is not what the screen shows.
  const forms = useRef<HTMLDivElement>(null);
  const asked = paramsOf(question).toString();
  const before = useRef(asked);
  useLayoutEffect(() => {
    if (before.current === asked) return;
    before.current = asked;
    for (const form of forms.current?.querySelectorAll('form') ?? []) form.reset();
  }, [asked]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) params.append(name, String(value));
    navigate(peopleAddress(project, readPeople(params)));
  };
  return (
    <div ref={forms} className={css['tools']}>
      <form method="get" action={peopleAddress(project, noQuestion)} onSubmit={onSubmit} className={css['search']}>
        <Carried params={paramsOf({ ...question, search: '' })} />
        <TextField
          label={text.search}
          hint={text.searchHint}
          type="search"
          name="search"
          defaultValue={search}
          maxLength={MAX_TEXT_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
        <Button type="submit" icon="search">
          {text.find}
        </Button>
      </form>
      <details className={css['more']} open={property !== null}>
        <summary>
          <Icon name="filter" />
          {text.filter}
        </summary>
        <form method="get" action={peopleAddress(project, noQuestion)} onSubmit={onSubmit} className={css['filter']}>
          <Carried params={paramsOf({ ...question, property: null })} />
          <TextField
            label={text.property}
            name="property"
            defaultValue={property?.name ?? ''}
            maxLength={MAX_TEXT_LENGTH}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            required
          />
          <SelectField
            key={property?.operator}
            label={text.condition}
            name="condition"
            defaultValue={property?.operator ?? 'equals'}
          >
            {propertyOperators.map((operator) => (
              <option key={operator} value={operator}>
                {operatorTexts[operator]}
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
        </form>
      </details>
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
          segments={(['seen', 'created'] as const).map((each) => ({
            key: each,
            label: text.sorts[each],
            href: hrefOf({ sort: each }),
            current: each === sort,
          }))}
        />
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
            name={property.name === COHORT ? cohort : property.name}
            operator={operatorTexts[property.operator]}
            value={property.value}
            removeHref={hrefOf({ property: null })}
            removeLabel={text.removeFilter}
          />
        )}
      </div>
    </div>
  );
}

const noQuestion: PeopleQuestion = { search: '', property: null, everybody: false, sort: 'seen', after: null };

/** What else is asked, so that a form sent without JavaScript keeps it. */
function Carried({ params }: { params: URLSearchParams }) {
  return [...params].map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
