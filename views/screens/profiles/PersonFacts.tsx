/** Properties and ids of a person. All values come from clients and are shown as text. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { readable } from '#src/events/values.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { PersonProperty, Touch } from '#src/profiles/contract.ts';
import { MAX_COUNTED } from '#src/profiles/values.ts';
import { Boundary } from '#views/boundary.tsx';
import { jsonText } from '#views/event/values.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { groupOf } from '#views/frame/addresses.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { keyOf } from '#views/kit/event-key.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { LongText } from '#views/kit/LongText.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useReading } from '#views/question/filters/reading.ts';
import { useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { peopleWords } from '#views/words/people.ts';
import { valueText } from '#views/words/value-text.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Item, type PersonFactsProps, SaidBy } from './FactList.tsx';
import css from './Person.module.css';
import { PersonIds } from './PersonIds.tsx';

/** Of more properties than these, only the first are open: what comes below them is to be found. */
const MAX_OPEN = 20;
const FIRST_OPEN = 12;

export function PersonFacts(props: PersonFactsProps) {
  const { person, day, project, timeZone } = props;
  const text = usePart(peopleWords);
  const { format } = useWords();
  const reading = useReading();
  const { firstSeen, lastSeen, visits, views, events, country, browser, os, device, language } = person;
  const count = (n: number) => (n > MAX_COUNTED ? `${format.number(MAX_COUNTED)}+` : format.number(n));
  const own = person.properties.filter(isTold);
  const others = person.properties.filter((property) => !isTold(property));
  const shown = own.length <= MAX_OPEN ? own.length : FIRST_OPEN;
  const touches = [
    ['firstTouch', person.firstTouch],
    ['lastTouch', person.lastTouch],
  ] as const;
  return (
    <aside className={css['side']} aria-label={text.facts}>
      <dl className={css['facts']}>
        <Fact name={text.firstSeen}>{day(firstSeen)}</Fact>
        <Fact name={text.lastSeen}>{lastSeen === null ? missing : day(lastSeen)}</Fact>
        <Fact name={text.visits}>{count(visits)}</Fact>
        <Fact name={text.views}>{count(views)}</Fact>
        <Fact name={text.events}>{count(events)}</Fact>
        <Fact name={text.country}>
          {/* The names of countries come from the browser's own tables, which may be newer than the server's. */}
          <span suppressHydrationWarning>{country === null ? missing : format.country(country)}</span>
        </Fact>
      </dl>
      <Explained asked={{ screen: 'person', project, person: person.uuid }} timeZone={timeZone} />
      {(browser ?? device ?? language) !== null && (
        <dl className={css['list']}>
          <Item name={text.browser}>{[browser, os].filter(Boolean).join(' · ') || missing}</Item>
          <Item name={text.device}>{device === null ? missing : valueText('deviceType', device, reading)}</Item>
          <Item name={text.language}>
            <span suppressHydrationWarning>
              {language === null ? missing : valueText('language', language, reading)}
            </span>
          </Item>
        </dl>
      )}
      <Groups project={project} groups={person.groups} />
      <h2>{text.properties}</h2>
      {own.length === 0 && <p className="dim">{text.noProperties}</p>}
      <Properties project={project} person={person.uuid} properties={own.slice(0, shown)} timeZone={timeZone} />
      {own.length > shown && (
        <details className={css['further']}>
          <summary>{text.moreProperties(format.number(own.length - shown))}</summary>
          <Properties project={project} person={person.uuid} properties={own.slice(shown)} timeZone={timeZone} />
        </details>
      )}
      {others.length > 0 && (
        <details className={css['further']}>
          <summary>{text.fromEvents(format.number(others.length))}</summary>
          <Properties project={project} person={person.uuid} properties={others} timeZone={timeZone} />
        </details>
      )}
      <Changes project={project} person={person.uuid} timeZone={timeZone} />
      {touches.map(
        ([name, touch]) =>
          touch && (
            <section key={name} aria-label={text[name]}>
              <h2>{text[name]}</h2>
              <TouchList touch={touch} timeZone={timeZone} />
            </section>
          ),
      )}
      <PersonIds {...props} />
    </aside>
  );
}

/** The companies and the like that they belong to. */
function Groups({ project, groups }: Pick<PersonFactsProps['person'], 'groups'> & { project: string }) {
  const types = useGroupTypes();
  if (groups.length === 0) return null;
  return (
    <dl className={css['list']}>
      {groups.map(({ type, key, label }) => (
        <Item key={`${type} ${key}`} name={types.find((each) => each.type === type)?.singular ?? ''}>
          <Link className="link" href={groupOf(project, type, key)}>
            {label ?? key}
          </Link>
        </Item>
      ))}
    </dl>
  );
}

/** Said about the person; what every event brings along, and empty values, stand apart. */
function isTold({ name, value }: PersonProperty): boolean {
  return !name.startsWith('$') && !name.startsWith('utm_') && value !== null && value !== '';
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

interface PropertiesProps {
  project: string;
  person: string;
  properties: PersonProperty[];
  timeZone: string;
}

function Properties({ project, person, properties, timeZone }: PropertiesProps) {
  return (
    <dl className={css['list']}>
      {properties.map(({ name, value, by }) => (
        <Item key={name} name={<span className="mono">{name}</span>}>
          <Value name={name} value={value} />
          {by && <SaidBy project={project} person={person} by={by} timeZone={timeZone} />}
        </Item>
      ))}
    </dl>
  );
}

function Value({ name, value }: { name: string; value: JsonValue }) {
  if (value === null || value === '') return <span className="dim">{missing}</span>;
  return typeof value === 'object' ? (
    <LongText label={name} text={jsonText(value)} code />
  ) : (
    <LongText label={name} text={String(value)} />
  );
}

/** Earlier values, fetched when they are opened. */
function Changes(props: Omit<PropertiesProps, 'properties'>) {
  const text = usePart(peopleWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={`${css['further']} script-only`} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text.changes}</summary>
      {isOpen && (
        <Boundary of={props.person} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Late>
            <ChangeList {...props} />
          </Late>
        </Boundary>
      )}
    </details>
  );
}

function ChangeList({ project, person, timeZone }: Omit<PropertiesProps, 'properties'>) {
  const text = usePart(peopleWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.profiles.changes.queryOptions({ project, person }));
  if (data.length === 0) return <p className="dim">{text.noChanges}</p>;
  return (
    <dl className={css['list']}>
      {data.map(({ name, value, by }) => (
        <Item key={`${name} ${keyOf(by)}`} name={<span className="mono">{name}</span>}>
          {value === null ? <span className="dim">{text.removed}</span> : <Value name={name} value={value} />}
          <SaidBy project={project} person={person} by={by} timeZone={timeZone} />
        </Item>
      ))}
    </dl>
  );
}

function TouchList({ touch, timeZone }: { touch: Touch; timeZone: string }) {
  const text = usePart(peopleWords);
  const { format } = useWords();
  const reading = useReading();
  const { at, channel, source, medium, campaign, referrer, page, country } = touch;
  const from = referrer === '$direct' ? text.direct : referrer;
  return (
    <dl className={css['list']}>
      <Item name={text.touch.when}>{format.dayTime(at, timeZone)}</Item>
      {channel !== null && <Item name={text.touch.channel}>{valueText('channel', channel, reading)}</Item>}
      {source !== null && (
        <Item name={text.touch.source}>
          <LongText label={text.touch.source} text={source} />
        </Item>
      )}
      {medium !== null && (
        <Item name={text.touch.medium}>
          <LongText label={text.touch.medium} text={medium} />
        </Item>
      )}
      {campaign !== null && (
        <Item name={text.touch.campaign}>
          <LongText label={text.touch.campaign} text={campaign} />
        </Item>
      )}
      {from !== null && (
        <Item name={text.touch.referrer}>
          <LongText label={text.touch.referrer} text={from} />
        </Item>
      )}
      {page !== null && (
        <Item name={text.touch.page}>
          <LongText label={text.touch.page} text={readable(page)} />
        </Item>
      )}
      {country !== null && (
        <Item name={text.touch.country}>
          <span suppressHydrationWarning>{format.country(country)}</span>
        </Item>
      )}
    </dl>
  );
}
