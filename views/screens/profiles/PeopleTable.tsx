/** The table of people. Everything in it was captured, so everything is text. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { JsonValue } from '#src/kit/json.ts';
import type { ActivitySort, ListedPerson, PeopleSort } from '#src/profiles/contract.ts';
import { activitySorts, MAX_ORDERED, MAX_VISITS } from '#src/profiles/values.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { personOf } from '#views/frame/addresses.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { type DataColumn, type DataRow, DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { peopleWords } from '#views/words/people.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './People.module.css';
import { PeopleExport } from './PeopleExport.tsx';
import { isByActivity, type PeopleQuestion, peopleAddress, peopleInput } from './people-address.ts';

interface PeopleTableProps {
  project: string;
  question: PeopleQuestion;
  timeZone: string;
}

export function PeopleTable({ project, question, timeZone }: PeopleTableProps) {
  const text = usePart(peopleWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const { data: page } = useSuspenseQuery(trpc.profiles.list.queryOptions(peopleInput(project, question)));
  const hrefOf = (changes: Partial<PeopleQuestion>) => peopleAddress(project, { ...question, after: null, ...changes });
  const { total, searchedTo, next } = page;
  if (page.rows.length === 0 && searchedTo === null) {
    const { search, property, cohort, everybody } = question;
    const isAsked = search !== '' || property !== null || cohort !== null || everybody;
    return (
      <State
        icon={isAsked ? 'search' : 'people'}
        title={isAsked ? text.none : text.noneYet}
        actions={
          isAsked && (
            <ButtonLink href={hrefOf({ search: '', property: null, cohort: null, everybody: true })}>
              {text.clear}
            </ButtonLink>
          )
        }
      >
        {isAsked ? text.noneText : text.noneYetText}
      </State>
    );
  }
  return (
    <>
      <div className={css['count']}>
        <b className="strong num">
          {total === null ? text.manyPeople(format.number(MAX_ORDERED)) : text.count(total, format.number(total))}
        </b>
        <PeopleExport project={project} question={question} many={total === null} />
      </div>
      <Explained asked={{ screen: 'people', project, input: peopleInput(project, question) }} timeZone={timeZone} />
      <People project={project} question={question} people={page.rows} timeZone={timeZone} />
      <div className={css['ends']}>
        {searchedTo !== null && (
          <p role="status">
            {isByActivity(question)
              ? text.searchedToValue(format.number(searchedTo))
              : text.searchedTo(format.dayTime(searchedTo, timeZone))}
          </p>
        )}
        {question.after !== null && (
          <ButtonLink small href={hrefOf({})}>
            {text.start}
          </ButtonLink>
        )}
        {next !== null && (
          <ButtonLink small href={hrefOf({ after: next })} rel="next">
            {searchedTo === null ? text.more : text.goOn}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

interface PeopleProps extends PeopleTableProps {
  people: ListedPerson[];
}

function People({ project, question, people, timeZone }: PeopleProps) {
  const text = usePart(peopleWords);
  const { words, format } = useWords();
  const now = useServerTime();
  const thisYear = Number(dateIn(now, timeZone).slice(0, 4));
  const nothing = <span className="dim">{missing}</span>;
  const rowOf = (person: ListedPerson): DataRow => {
    const { uuid, firstSeen, lastSeen, visits, country, did, properties } = person;
    return {
      key: uuid,
      leads: true,
      cells: {
        name: <Name project={project} person={person} />,
        lastSeen:
          lastSeen === null ? (
            nothing
          ) : (
            <time dateTime={new Date(lastSeen).toISOString()}>{ago(lastSeen, now, timeZone, words)}</time>
          ),
        firstSeen: format.day(dateIn(firstSeen, timeZone), thisYear),
        events: format.number(did?.events ?? 0),
        visits: did
          ? format.number(did.visits)
          : visits < MAX_VISITS
            ? format.number(visits)
            : text.atLeast(format.number(visits)),
        revenue:
          did === null || did.revenue.length === 0
            ? nothing
            : did.revenue.map(({ currency, sum }) => (
                <span key={currency} className={css['amount']}>
                  {format.money(sum, currency)}
                </span>
              )),
        // The names of countries come from the browser's own tables, which may be newer than the server's.
        country: country === null ? nothing : <span suppressHydrationWarning>{format.country(country)}</span>,
        ...propertyCells(question.columns, properties),
      },
    };
  };
  return (
    <DataTable
      caption={text.table}
      className={css['table']}
      columns={columnsOf(question, text)}
      rows={people.map(rowOf)}
    />
  );
}

/** A phone shows the name, and by what the list is in order. */
function columnsOf(question: PeopleQuestion, text: PeopleText): DataColumn[] {
  const { sort, columns } = question;
  const figure = (key: ActivitySort): DataColumn => ({
    key,
    head: text[key],
    isFigure: true,
    wideOnly: sort !== key,
    ...(sort === key && { sort: 'descending' }),
  });
  const time = (key: 'lastSeen' | 'firstSeen', own: PeopleSort): DataColumn => ({
    key,
    head: text[key],
    className: 'num',
    wideOnly: sort === 'created' ? own !== 'created' : sort !== own,
    ...(sort === own && { sort: 'descending' }),
  });
  const did = isByActivity(question);
  return [
    { key: 'name', head: text.name },
    ...(did ? activitySorts.map(figure) : []),
    time('lastSeen', 'seen'),
    ...(did ? [] : [time('firstSeen', 'created'), figure('visits')]),
    ...columns.map((name, at) => ({
      key: `property ${at}`,
      head: <span className="mono clip">{name}</span>,
      wideOnly: true,
    })),
    ...(columns.length > 2 ? [] : [{ key: 'country', head: text.country, wideOnly: true }]),
  ];
}

function propertyCells(columns: readonly string[], properties: ListedPerson['properties']): DataRow['cells'] {
  const cells: Record<string, ReactNode> = {};
  for (const [at, name] of columns.entries()) {
    const value = properties[name];
    cells[`property ${at}`] = <span className="clip">{value === undefined ? missing : propertyText(value)}</span>;
  }
  return cells;
}

/** Numbers and texts as they were sent. */
function propertyText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type PeopleText = Pick<(typeof peopleWords)['en'], 'name' | 'lastSeen' | 'firstSeen' | 'country' | ActivitySort>;

function Name({ project, person }: { project: string; person: ListedPerson }) {
  const text = usePart(peopleWords);
  const { words } = useWords();
  const { uuid, identified, label, email, distinctId } = person;
  const known = label ?? (identified ? distinctId : null);
  const beside = email !== null && email !== known ? email : identified ? null : text.anonymousState;
  return (
    <span className={css['person']}>
      <Avatar name={known} />
      <span className={css['who']}>
        <RowLink href={personOf(project, uuid)} className={`${css['name']} clip`}>
          {known ?? words.people.anonymous(uuid.slice(-4))}
        </RowLink>
        {beside !== null && <span className="dim clip">{beside}</span>}
      </span>
    </span>
  );
}
