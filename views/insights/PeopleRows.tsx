/** People as rows: who they are, and what they did in the range. Everything in it was captured, so everything is text. */
import { type ReactNode, useId, useState } from 'react';
import type { PointPerson } from '#src/profiles/points/contract.ts';
import { WatchPerson } from '#views/event/WatchReplay.tsx';
import { personOf } from '#views/frame/addresses.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { missing } from '#views/words/format.ts';
import { pointPeopleWords } from '#views/words/point-people.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './PeoplePanel.module.css';
import { PersonProperties } from './PersonProperties.tsx';

const DAY_MS = 86_400_000;

interface PeopleRowsProps {
  reference: string;
  people: readonly PointPerson[];
  timeZone: string;
}

export function PeopleRows({ reference, people, timeZone }: PeopleRowsProps) {
  const own = usePart(pointPeopleWords);
  const { words, format } = useWords();
  const now = useServerTime();
  const id = useId();
  /** Whose properties are shown. */
  const [open, setOpen] = useState<string | null>(null);
  const thisYear = Number(dateIn(now, timeZone).slice(0, 4));
  const seenText = (at: number) =>
    now - at < DAY_MS ? ago(at, now, timeZone, words) : format.day(dateIn(at, timeZone), thisYear);
  return (
    <DataTable
      caption={own.list}
      className={css['people']}
      columns={[
        { key: 'person', head: own.person },
        { key: 'events', head: own.events, isFigure: true },
        { key: 'revenue', head: own.revenue, isFigure: true },
        { key: 'seen', head: own.lastSeen, isFigure: true },
      ]}
      rows={people.map((person) => ({
        key: person.uuid,
        leads: true,
        panel: person.uuid === open ? <PersonProperties id={id} properties={person.properties} /> : undefined,
        cells: {
          person: (
            <Person
              reference={reference}
              person={person}
              panel={person.uuid === open ? id : null}
              onToggle={() => setOpen(person.uuid === open ? null : person.uuid)}
            >
              <WatchPerson project={reference} person={person.uuid} among={people.map(({ uuid }) => uuid)} />
            </Person>
          ),
          events: (
            <>
              {format.number(person.events)}
              <span className={css['below']}>{own.visits(person.visits, format.number(person.visits))}</span>
            </>
          ),
          revenue:
            person.revenue.length === 0
              ? missing
              : person.revenue.map(({ currency, sum }) => (
                  <span key={currency} className={css['amount']}>
                    {format.money(sum, currency)}
                  </span>
                )),
          seen:
            person.lastSeen === null ? (
              missing
            ) : (
              <time dateTime={new Date(person.lastSeen).toISOString()}>{seenText(person.lastSeen)}</time>
            ),
        },
      }))}
    />
  );
}

interface PersonProps {
  reference: string;
  person: PointPerson;
  /** Id of their properties; null: these are not shown. */
  panel: string | null;
  onToggle(): void;
  children: ReactNode;
}

function Person({ reference, person, panel, onToggle, children }: PersonProps) {
  const own = usePart(pointPeopleWords);
  const { words, format } = useWords();
  const { uuid, identified, label, email, distinctId, country } = person;
  const known = label ?? (identified ? distinctId : null);
  const name = known ?? words.people.anonymous(uuid.slice(-4));
  const beside = email !== null && email !== known ? email : country === null ? null : format.country(country);
  return (
    <span className={css['person']}>
      <button
        type="button"
        className={css['toggle']}
        aria-expanded={panel !== null}
        aria-controls={panel ?? undefined}
        aria-label={own.propertiesOf(name)}
        onClick={onToggle}
      >
        <Icon name={panel === null ? 'right' : 'down'} small />
      </button>
      <Avatar name={known} />
      <span className={css['who']}>
        <RowLink href={personOf(reference, uuid)} className="clip">
          {name}
        </RowLink>
        {beside !== null && <span className={`${css['below']} clip`}>{beside}</span>}
      </span>
      {children}
    </span>
  );
}
