/** Definitions: which events and properties are sent, how many, since when, and what people say they mean. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue } from 'react';
import type { Definition, DefinitionSort, Definitions } from '#src/explorer/contract.ts';
import { DEFINITIONS_PER_PAGE, MAX_SEARCH_LENGTH } from '#src/explorer/values.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { definitionsOf, eventsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { type DataColumn, type DataRow, DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { eventListWords } from '#views/words/event-lists.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { DefinitionForm } from './DefinitionForm.tsx';
import css from './Definitions.module.css';
import { askedAddress, type DefinitionsQuery, definitionsInput, paramsOf, readAsked } from './definitions-address.ts';
import { EventTabs } from './EventTabs.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const asked = readAsked(props.search);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.explorer.definitions.queryOptions(definitionsInput(project, asked)), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'definitions', project, kind: asked.kind })),
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

function List({ project, asked }: { project: string; asked: DefinitionsQuery }) {
  const trpc = useTrpc();
  const text = usePart(eventListWords);
  const { navigate } = useNavigate();
  const shown = useDeferredValue(asked);
  const { kind, search } = shown;
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data } = useSuspenseQuery(trpc.explorer.definitions.queryOptions(definitionsInput(project, shown)));
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('search') ?? '').trim();
    navigate(askedAddress(project, { ...asked, search: typed, page: 1, open: null }), { replace: true });
  };
  return (
    <div className="ph-no-capture">
      <div className={css['tools']}>
        <Segmented
          label={text.kindsLabel}
          segments={(['event', 'property'] as const).map((each) => ({
            key: each,
            label: text.kinds[each],
            current: each === asked.kind,
            href: askedAddress(project, { ...asked, kind: each, page: 1, open: null }),
          }))}
        />
        <form method="get" action={definitionsOf(project)} onSubmit={onSubmit}>
          {[...paramsOf({ ...asked, search: '' })].map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label className={`${css['find']} input`}>
            <Icon name="search" />
            <input
              key={asked.search}
              type="search"
              name="search"
              defaultValue={asked.search}
              maxLength={MAX_SEARCH_LENGTH}
              placeholder={text.find}
              aria-label={text.find}
              enterKeyHint="search"
            />
          </label>
        </form>
      </div>
      {data.total === 0 ? (
        <p className={css['note']} role="status">
          {search === '' ? text.noDefinitions : text.noneFound}
        </p>
      ) : (
        <Table data={data} project={project} asked={shown} timeZone={timeZone} />
      )}
      <Pages data={data} project={project} asked={shown} />
      <p className={css['note']}>
        {data.isCounted ? text.countNote : text.notCounted} {text.seenNote}
      </p>
      <Explained asked={{ screen: 'definitions', project, kind }} timeZone={timeZone} />
    </div>
  );
}

/** Pagination. */
function Pages({ data, project, asked }: Omit<TableProps, 'timeZone'>) {
  const { format } = useWords();
  const text = usePart(eventListWords);
  const { page, pages, total, hasMore, definitions } = data;
  if (total === 0) return null;
  const first = (page - 1) * DEFINITIONS_PER_PAGE + 1;
  const shown = [first, first + definitions.length - 1, total].map((each) => format.number(each));
  const hrefOf = (other: number) => askedAddress(project, { ...asked, page: other, open: null });
  return (
    <div className={css['pages']}>
      <span role="status" className="num">
        {text.shown(...(shown as [string, string, string]))}
        {hasMore && ` ${text.hasMore}`}
      </span>
      {page > 1 && (
        <ButtonLink small href={hrefOf(page - 1)} rel="prev">
          {text.previousPage}
        </ButtonLink>
      )}
      {page < pages && (
        <ButtonLink small href={hrefOf(page + 1)} rel="next">
          {text.nextPage}
        </ButtonLink>
      )}
    </div>
  );
}

interface TableProps {
  data: Definitions;
  project: string;
  asked: DefinitionsQuery;
  timeZone: string;
}

function Table({ data, project, asked, timeZone }: TableProps) {
  const { format } = useWords();
  const text = usePart(eventListWords);
  const { kind, sort, open } = asked;
  const largest = Math.max(1, data.maxEvents);
  const sorted = (key: DefinitionSort, label: string): DataColumn => ({
    key,
    head: (
      <Link href={askedAddress(project, { ...asked, sort: key, page: 1 })} replace aria-label={text.sortBy(label)}>
        {label}
        {key === sort && <Icon name="down" small />}
      </Link>
    ),
    isFigure: key !== 'name',
    sort: key !== sort ? undefined : key === 'name' ? 'ascending' : 'descending',
  });
  const columns: DataColumn[] = [
    { ...sorted('name', text.name), className: css['name'] },
    ...(kind === 'property' ? [{ key: 'type', head: text.type, wideOnly: true }] : []),
    sorted('events', text.events(format.number(data.days))),
    sorted('lastSeen', text.lastSeen),
    { key: 'owner', head: text.owner, wideOnly: true },
  ];
  const rowOf = (definition: Definition): DataRow => {
    const { name, type, events, lastSeen, owner } = definition;
    const isOpen = name === open;
    const href = askedAddress(project, { ...asked, open: isOpen ? null : name });
    return {
      key: name,
      leads: true,
      cells: {
        name: <Name definition={definition} href={href} isOpen={isOpen} share={(events ?? 0) / largest} />,
        type: typeName(type, text.types),
        events: events === null ? missing : format.number(events),
        lastSeen: format.day(dateIn(lastSeen, timeZone), 0),
        owner: owner?.name ?? missing,
      },
      panel: isOpen ? (
        <DefinitionForm
          key={name}
          project={project}
          kind={kind}
          definition={definition}
          people={data.people}
          timeZone={timeZone}
          closeHref={href}
        />
      ) : undefined,
    };
  };
  return <DataTable caption={text.kinds[kind]} columns={columns} rows={data.definitions.map(rowOf)} />;
}

interface NameProps {
  definition: Definition;
  href: string;
  isOpen: boolean;
  /** Of the largest count, 0 to 1. */
  share: number;
}

function Name({ definition: { name, verified, hidden, description }, href, isOpen, share }: NameProps) {
  const text = usePart(eventListWords);
  return (
    <>
      <RowLink href={href} aria-expanded={isOpen} aria-label={text.edit(name)}>
        <span className="mono">{name}</span>
      </RowLink>
      {verified && <span className={css['badge']}>{text.verified}</span>}
      {hidden && <span className={css['badge']}>{text.hidden}</span>}
      {description !== '' && <span className={css['description']}>{description}</span>}
      <Bar share={share} />
    </>
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
