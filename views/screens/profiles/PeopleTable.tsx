/** The table of people. Everything in it was captured, so everything is text. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ListedPerson } from '#src/profiles/contract.ts';
import { MAX_ORDERED, MAX_VISITS } from '#src/profiles/values.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { personOf } from '#views/frame/addresses.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { type DataRow, DataTable, RowLink } from '#views/kit/DataTable.tsx';
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
import { type PeopleQuestion, peopleAddress, peopleInput } from './people-address.ts';

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
    const isAsked = question.search !== '' || question.property !== null || question.everybody;
    return (
      <State
        icon={isAsked ? 'search' : 'people'}
        title={isAsked ? text.none : text.noneYet}
        actions={
          isAsked && (
            <ButtonLink href={hrefOf({ search: '', property: null, everybody: true })}>{text.clear}</ButtonLink>
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
      <People project={project} people={page.rows} timeZone={timeZone} />
      <div className={css['ends']}>
        {searchedTo !== null && <p role="status">{text.searchedTo(format.dayTime(searchedTo, timeZone))}</p>}
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

function People({ project, people, timeZone }: { project: string; people: ListedPerson[]; timeZone: string }) {
  const text = usePart(peopleWords);
  const { words, format } = useWords();
  const now = useServerTime();
  const thisYear = Number(dateIn(now, timeZone).slice(0, 4));
  const rowOf = (person: ListedPerson): DataRow => {
    const { uuid, firstSeen, lastSeen, visits, country } = person;
    return {
      key: uuid,
      leads: true,
      cells: {
        name: <Name project={project} person={person} />,
        lastSeen:
          lastSeen === null ? (
            <span className="dim">{missing}</span>
          ) : (
            <time dateTime={new Date(lastSeen).toISOString()}>{ago(lastSeen, now, timeZone, words)}</time>
          ),
        firstSeen: format.day(dateIn(firstSeen, timeZone), thisYear),
        visits: visits < MAX_VISITS ? format.number(visits) : text.atLeast(format.number(visits)),
        // The names of countries come from the browser's own tables, which may be newer than the server's.
        country:
          country === null ? (
            <span className="dim">{missing}</span>
          ) : (
            <span suppressHydrationWarning>{format.country(country)}</span>
          ),
      },
    };
  };
  return (
    <DataTable
      caption={text.table}
      className={css['table']}
      columns={[
        { key: 'name', head: text.name },
        { key: 'lastSeen', head: text.lastSeen, className: 'num' },
        { key: 'firstSeen', head: text.firstSeen, className: 'num', wideOnly: true },
        { key: 'visits', head: text.visits, isFigure: true, wideOnly: true },
        { key: 'country', head: text.country, wideOnly: true },
      ]}
      rows={people.map(rowOf)}
    />
  );
}

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
