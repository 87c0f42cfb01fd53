/** The table of raw events. Everything in it was captured, so everything is text. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ExplorerPage, ExplorerRow } from '#src/explorer/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { Boundary } from '#views/boundary.tsx';
import { EventPanel } from '#views/event/EventPanel.tsx';
import { Explained } from '#views/explain/Explained.tsx';
import { personOf } from '#views/frame/addresses.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { keyOf, readKey } from '#views/kit/event-key.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { type ExplorerState, exploredAddress, type OwnColumn, propertyOf } from '#views/question/explorer-address.ts';
import { useTrpc } from '#views/trpc.ts';
import { eventsWords } from '#views/words/events.ts';
import { exactTime } from '#views/words/exact.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './EventsTable.module.css';
import { exploredInput, pageInput } from './explorer-inputs.ts';

export interface EventsTableProps {
  reference: string;
  explored: ExplorerState;
  timeZone: string;
}

export function EventsTable({ reference, explored, timeZone }: EventsTableProps) {
  const trpc = useTrpc();
  const text = usePart(eventsWords);
  const { data: page } = useSuspenseQuery(trpc.explorer.page.queryOptions(pageInput(reference, explored)));
  const { open } = explored;
  const at = readKey(open);
  const hrefOf = (key: string | null) => exploredAddress(reference, { ...explored, open: key });
  const panel = at && (
    <Late>
      <EventPanel
        project={reference}
        address={at}
        timeZone={timeZone}
        closeHref={hrefOf(null)}
        onlyHref={(name) => exploredAddress(reference, { ...explored, names: [name], after: null, before: null })}
      />
    </Late>
  );
  const isShown = page.rows.some((row) => keyOf(row) === open);
  return (
    <>
      <p className={css['count']}>
        <Count reference={reference} explored={explored} /> {text.everything}
      </p>
      <Explained
        asked={{ screen: 'list', project: reference, input: exploredInput(reference, explored) }}
        timeZone={timeZone}
      />
      {panel && !isShown && (
        <section aria-label={text.chosen} className={css['apart']}>
          <h2 className={css['apartTitle']}>{text.chosen}</h2>
          {panel}
        </section>
      )}
      {page.rows.length === 0 ? (
        <Nothing reference={reference} explored={explored} page={page} />
      ) : (
        <Rows reference={reference} page={page} explored={explored} timeZone={timeZone} hrefOf={hrefOf} panel={panel} />
      )}
      <Ends reference={reference} explored={explored} page={page} />
    </>
  );
}

/** How many there are, once they are counted; nothing when that takes too long. */
function Count(props: Pick<EventsTableProps, 'reference' | 'explored'>) {
  const text = usePart(eventsWords);
  const input = exploredInput(props.reference, props.explored);
  return (
    <Boundary of={JSON.stringify(input)} fallback={() => null}>
      <Late fallback={<span className="dim">{text.counting}</span>}>
        <Counted {...props} />
      </Late>
    </Boundary>
  );
}

function Counted({ reference, explored }: Pick<EventsTableProps, 'reference' | 'explored'>) {
  const trpc = useTrpc();
  const { format } = useWords();
  const text = usePart(eventsWords);
  const { data } = useSuspenseQuery({
    ...trpc.explorer.count.queryOptions(exploredInput(reference, explored)),
    retry: false,
  });
  return data.events === null ? null : (
    <b className="strong num">{text.count(data.events, format.number(data.events))}.</b>
  );
}

interface RowsProps {
  reference: string;
  page: ExplorerPage;
  explored: ExplorerState;
  timeZone: string;
  hrefOf: (key: string | null) => string;
  panel: ReactNode;
}

function Rows({ reference, page, explored: { columns, open }, timeZone, hrefOf, panel }: RowsProps) {
  const { format } = useWords();
  const text = usePart(eventsWords);
  const thisYear = Number(dateIn(useServerTime(), timeZone).slice(0, 4));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which the keyboard must be able to do
    <section className={css['scroll']} tabIndex={0} aria-label={text.table}>
      <DataTable
        isDense
        caption={text.table}
        columns={[
          { key: 'time', head: text.time, className: css['time'] },
          ...columns.map((column) => ({
            key: columnKey(column),
            head: <ColumnName column={column} />,
            wideOnly: isSecond(column),
          })),
        ]}
        rows={page.rows.map((row) => {
          const key = keyOf(row);
          const isOpen = key === open;
          const date = dateIn(row.ts, timeZone);
          const time = `${format.day(date, thisYear)}, ${format.clock(row.ts, timeZone)}`;
          return {
            key,
            leads: true,
            cells: {
              ...Object.fromEntries(
                cellsOf(row, columns).map(([column, value]) => [
                  columnKey(column),
                  <Cell
                    key={column}
                    reference={reference}
                    row={row}
                    column={column}
                    value={value}
                    timeZone={timeZone}
                  />,
                ]),
              ),
              time: (
                <RowLink
                  href={hrefOf(isOpen ? null : key)}
                  aria-expanded={isOpen}
                  aria-label={text.open(row.event, time)}
                >
                  {time}
                </RowLink>
              ),
            },
            panel: isOpen ? <div className={css['inside']}>{panel}</div> : undefined,
          };
        })}
      />
    </section>
  );
}

/** Not that of the time, which every row has. */
function columnKey(column: string): string {
  return `column.${column}`;
}

/** On a phone there is room for what happened; who and where is in the event. */
function isSecond(column: string): boolean {
  return column === 'person' || column === 'country';
}

export function ColumnName({ column }: { column: string }) {
  const text = usePart(eventsWords);
  const property = propertyOf(column);
  if (property === null) return text.columns[column as OwnColumn];
  return (
    <>
      <span className="mono">{property.name}</span>
      {property.of === 'person' && <span className="dim"> {text.ofPerson}</span>}
    </>
  );
}

/** Each column with its property's value. */
function cellsOf({ values }: ExplorerRow, columns: readonly string[]): [column: string, value: JsonValue][] {
  const properties = columns.filter((column) => propertyOf(column) !== null);
  return columns.map((column) => [column, values[properties.indexOf(column)] ?? null]);
}

interface CellProps {
  reference: string;
  row: ExplorerRow;
  column: string;
  value: JsonValue;
  timeZone: string;
}

function Cell({ reference, row, column, value, timeZone }: CellProps) {
  const { words, format } = useWords();
  const text = usePart(eventsWords);
  switch (column) {
    case 'event':
      return (
        <span
          className={classNames(css['text'], 'mono clip', css['event'], row.event === '$exception' && css['problem'])}
        >
          {row.event}
        </span>
      );
    case 'detail':
      return <span className={classNames(css['text'], 'clip')}>{row.detail}</span>;
    case 'person': {
      const { person } = row;
      const name = person.identified ? (person.label ?? person.distinctId) : null;
      return (
        <span className={css['person']}>
          <Avatar name={name} />
          <Link
            href={personOf(reference, person.uuid)}
            className={classNames(css['who'], 'clip', name === null && 'dim')}
          >
            {name ?? anonymousName(person, words)}
          </Link>
          {row.marks.includes('bot') && <span className={css['bot']}>{text.bot}</span>}
        </span>
      );
    }
    case 'country':
      // The names of countries come from the browser's own tables, which may be newer than the server's.
      return row.country === null ? <Nil /> : <span suppressHydrationWarning>{format.country(row.country)}</span>;
    case 'id':
      return <Data of={row.person.distinctId} />;
    case 'received':
      return <span className="num">{exactTime(row.receivedAt, timeZone)}</span>;
    case 'session':
      return row.session === null ? <Nil /> : <Data of={row.session} />;
    case 'marks':
      return row.marks.length === 0 ? <Nil /> : <Data of={row.marks.join(' ')} />;
  }
  if (value === null || value === '') return <Nil />;
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return (
    <span
      className={classNames(
        css['text'],
        'clip',
        typeof value === 'number' && 'num',
        typeof value === 'object' && 'mono',
      )}
    >
      {shown}
    </span>
  );
}

function Data({ of }: { of: string }) {
  return <span className={classNames(css['text'], 'mono clip')}>{of}</span>;
}

function Nil() {
  return <span className="dim">{missing}</span>;
}

function Nothing({
  reference,
  explored,
  page,
}: Pick<EventsTableProps, 'reference' | 'explored'> & { page: ExplorerPage }) {
  const text = usePart(eventsWords);
  const { filters, people, segment } = explored.question;
  const isFiltered = explored.names.length > 0 || (filters ?? people ?? segment) !== null;
  if ((page.searchedTo ?? page.searchedUp) !== null) return null;
  const all = {
    ...explored,
    names: [],
    after: null,
    before: null,
    question: { ...explored.question, filters: null, people: null, segment: null },
  };
  return (
    <State
      icon="search"
      title={text.none}
      actions={isFiltered && <ButtonLink href={exploredAddress(reference, all)}>{text.clear}</ButtonLink>}
    >
      {isFiltered ? text.noneText : text.noneYet}
    </State>
  );
}

/** Pagination. */
function Ends({
  reference,
  explored,
  page,
}: Pick<EventsTableProps, 'reference' | 'explored'> & { page: ExplorerPage }) {
  const text = usePart(eventsWords);
  const { next, newer, searchedTo, searchedUp, timeZone } = page;
  const first = { ...explored, after: null, before: null, open: null };
  return (
    <div className={css['ends']}>
      {searchedTo !== null && <p role="status">{text.searchedTo(exactTime(searchedTo, timeZone))}</p>}
      {searchedUp !== null && <p role="status">{text.searchedUp(exactTime(searchedUp, timeZone))}</p>}
      {newer !== null && (
        <>
          <ButtonLink small href={exploredAddress(reference, first)}>
            {text.newest}
          </ButtonLink>
          <ButtonLink small href={exploredAddress(reference, { ...first, before: newer })} rel="prev">
            {searchedUp === null ? text.newer : text.goOnUp}
          </ButtonLink>
        </>
      )}
      {next !== null && (
        <ButtonLink small href={exploredAddress(reference, { ...first, after: next })} rel="next">
          {searchedTo === null ? text.older : text.goOn}
        </ButtonLink>
      )}
    </div>
  );
}
