/** Definitions: which events and properties are sent, how many, since when, and what people say they mean. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Fragment, useDeferredValue, useState } from 'react';
import type { Definition, Definitions } from '#src/explorer/contract.ts';
import { eventsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { eventListWords } from '#views/words/event-lists.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { Explained } from '../insights/Explained.tsx';
import { explanationOf } from '../insights/explain-asked.ts';
import { explainQueries } from '../insights/explain-screen.ts';
import { DefinitionForm } from './DefinitionForm.tsx';
import css from './Definitions.module.css';
import { type Asked, askedAddress, type DefinitionSort, found, readAsked, sorted } from './definition-rows.ts';
import { EventTabs } from './EventTabs.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const { kind } = readAsked(props.search);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.explorer.definitions.queryOptions({ project, kind }), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'definitions', project, kind })),
  ];
}

export function title(words: Words): string {
  return eventListWords[words.language].tabs.definitions;
}

export function Screen({ params, search }: ScreenProps) {
  const { words } = useWords();
  const text = usePart(eventListWords);
  const project = params['project'] ?? '';
  const asked = readAsked(search);
  return (
    <Page title={text.tabs.definitions} parent={{ title: words.nav.events, href: eventsOf(project) }}>
      <EventTabs project={project} current="definitions" />
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <List project={project} asked={asked} />
      </Late>
    </Page>
  );
}

function List({ project, asked }: { project: string; asked: Asked }) {
  const trpc = useTrpc();
  const { format } = useWords();
  const text = usePart(eventListWords);
  const { sort } = asked;
  const kind = useDeferredValue(asked.kind);
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data } = useSuspenseQuery(trpc.explorer.definitions.queryOptions({ project, kind }));
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed);
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  const rows = sorted(found(data.definitions, wanted), sort);
  return (
    <div className="ph-no-capture">
      <div className={css['tools']}>
        <Segmented
          label={text.kindsLabel}
          segments={(['event', 'property'] as const).map((each) => ({
            ...{ key: each, label: text.kinds[each], current: each === asked.kind },
            href: askedAddress(project, { ...asked, kind: each, open: null }),
          }))}
        />
        <label className={`${css['find']} input script-only`}>
          <Icon name="search" />
          <input
            type="search"
            value={typed}
            placeholder={text.find}
            aria-label={text.find}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      </div>
      {rows.length === 0 ? (
        <p className={css['note']} role="status">
          {data.definitions.length === 0 ? text.noDefinitions : text.noneFound}
        </p>
      ) : (
        <Table data={data} rows={rows} project={project} asked={{ ...asked, kind }} timeZone={timeZone} />
      )}
      <p className={css['note']}>
        {data.isCounted ? text.countNote : text.notCounted} {text.seenNote}
      </p>
      <Explained asked={{ screen: 'definitions', project, kind }} timeZone={timeZone} />
      <span role="status" className="visually-hidden">
        {wanted === '' ? '' : format.number(rows.length)}
      </span>
    </div>
  );
}

interface TableProps {
  data: Definitions;
  rows: readonly Definition[];
  project: string;
  asked: Asked;
  timeZone: string;
}

function Table({ data, rows, project, asked, timeZone }: TableProps) {
  const { format } = useWords();
  const text = usePart(eventListWords);
  const { kind, sort, open } = asked;
  const largest = Math.max(1, ...data.definitions.map(({ events }) => events ?? 0));
  const head = (key: DefinitionSort, label: string, className?: string) => (
    <th
      scope="col"
      className={classNames(css['head'], className)}
      aria-sort={key === sort ? (key === 'name' ? 'ascending' : 'descending') : undefined}
    >
      <Link href={askedAddress(project, { ...asked, sort: key })} replace aria-label={text.sortBy(label)}>
        {label}
        {key === sort && <Icon name="down" small />}
      </Link>
    </th>
  );
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{text.kinds[kind]}</caption>
      <thead>
        <tr>
          {head('name', text.name)}
          {kind === 'property' && (
            <th scope="col" className={classNames(css['head'], 'wide-only')}>
              {text.type}
            </th>
          )}
          {head('events', text.events(format.number(data.days)), css['number'])}
          {head('lastSeen', text.lastSeen, css['seen'])}
          <th scope="col" className={classNames(css['head'], 'wide-only')}>
            {text.owner}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const isOpen = row.name === open;
          const href = askedAddress(project, { ...asked, open: isOpen ? null : row.name });
          return (
            <Fragment key={row.name}>
              <tr className={classNames(css['row'], isOpen && css['open'])}>
                <th scope="row" className={css['cell']}>
                  <Link href={href} className={css['link']} aria-expanded={isOpen} aria-label={text.edit(row.name)}>
                    <span className="mono">{row.name}</span>
                  </Link>
                  {row.verified && <span className={css['badge']}>{text.verified}</span>}
                  {row.hidden && <span className={css['badge']}>{text.hidden}</span>}
                  {row.description !== '' && <span className={css['description']}>{row.description}</span>}
                  <Bar share={(row.events ?? 0) / largest} />
                </th>
                {kind === 'property' && (
                  <td className={classNames(css['cell'], 'wide-only')}>{typeName(row.type, text.types)}</td>
                )}
                <td className={classNames(css['cell'], css['number'], 'num')}>
                  {row.events === null ? missing : format.number(row.events)}
                </td>
                <td className={classNames(css['cell'], css['seen'], 'num')}>
                  {format.day(dateIn(row.lastSeen, timeZone), 0)}
                </td>
                <td className={classNames(css['cell'], 'wide-only')}>{row.owner?.name ?? missing}</td>
              </tr>
              {isOpen && (
                <tr>
                  <td colSpan={kind === 'property' ? 5 : 4} className={css['panel']}>
                    <DefinitionForm
                      key={row.name}
                      project={project}
                      kind={kind}
                      definition={row}
                      people={data.people}
                      timeZone={timeZone}
                      closeHref={href}
                    />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function typeName(type: string | null, names: Readonly<Record<string, string>>): string {
  return type === null ? missing : (names[type] ?? type);
}

/** As in tables of numbers: the rule under a row is as long as its share of the largest. */
function Bar({ share }: { share: number }) {
  return (
    <svg className={css['bar']} aria-hidden="true">
      <rect width={`${Math.round(share * 1000) / 10}%`} />
    </svg>
  );
}
