/** Streams the list of people as a file, in its order, with all their data. */
import type { TableCell } from '#src/kit/csv.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { TablePiece } from '#src/kit/table-file.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, sql } from '#src/store/sql.ts';
import type { PeopleQuery } from './contract.ts';
import { anyOf, type ListParts, peopleOf, type WholePerson, whomOf } from './people-list.ts';
import { laterFirst, type Place, placesOf } from './people-order.ts';
import { isActivitySort, type RankedPlace, rankThese } from './people-ranked.ts';
import { MAX_COUNTED } from './values.ts';

export interface PeopleFile {
  /** How many there are. */
  people: number;
  /** The first piece is the head. */
  pieces: AsyncGenerator<TablePiece, void>;
}

export type FileParts = Pick<ListParts, 'db' | 'readerOf' | 'cohortName' | 'rank'>;

/** Put in order, and written, at a time. */
const BATCH = 1_000;
const PIECE = 250;

/** The set of people is fixed at the start. */
export async function peopleFile(
  parts: FileParts,
  projectId: ProjectId,
  asked: Omit<PeopleQuery, 'after'>,
  signal: AbortSignal,
): Promise<PeopleFile> {
  const { found } = await whomOf(parts, projectId, asked);
  const [row] = await query<{ numbers: number[] | null }>(
    parts.db,
    sql`select array_agg(number order by created_at desc, number desc) as numbers
          from persons where ${anyOf(projectId, found)}`,
  );
  const numbers = row?.numbers ?? [];
  return { people: numbers.length, pieces: piecesOf(parts, projectId, numbers, asked, signal) };
}

async function* piecesOf(
  parts: FileParts,
  projectId: ProjectId,
  byCreation: readonly number[],
  { sort, range, columns = [] }: Pick<PeopleQuery, 'sort' | 'range' | 'columns'>,
  signal: AbortSignal,
): AsyncGenerator<TablePiece, void> {
  const ranked = isActivitySort(sort)
    ? (
        await rankThese(parts.rank, projectId, byCreation, {
          sort,
          range,
          after: undefined,
          limit: byCreation.length,
          mayGoOn: () => !signal.aborted,
        })
      ).places
    : null;
  signal.throwIfAborted();
  const numbers =
    ranked?.map(({ number }) => number) ??
    (sort === 'seen' ? await seenLast(parts, projectId, byCreation, signal) : byCreation);
  const table = tableOf(columns, ranked);
  yield { cells: [table.head], rows: 0 };
  for (const some of inPieces(numbers, PIECE)) {
    signal.throwIfAborted();
    const people = await peopleOf(parts.db, projectId, some, {
      mostVisits: MAX_COUNTED,
      properties: sql`p.properties`,
    });
    if (people.length > 0) yield { cells: people.map(table.rowOf), rows: people.length };
  }
}

async function seenLast(
  { db }: Pick<FileParts, 'db'>,
  projectId: ProjectId,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<number[]> {
  const places: Place[] = [];
  for (const some of inPieces(numbers, BATCH)) {
    signal.throwIfAborted();
    places.push(...(await placesOf(db, projectId, some, { after: undefined, limit: BATCH, since: null })));
  }
  return places.sort(laterFirst).map(({ number }) => number);
}

function* inPieces<Item>(all: readonly Item[], size: number): Generator<Item[], void> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

interface PeopleTable {
  head: string[];
  rowOf(person: WholePerson): TableCell[];
}

/** @param ranked what each did in the range; null: the order is by time */
function tableOf(columns: readonly string[], ranked: readonly RankedPlace[] | null): PeopleTable {
  const didOf = new Map(ranked?.map(({ number, did }) => [number, did]));
  const currencies = [...new Set(ranked?.flatMap(({ did }) => did.revenue.map(({ currency }) => currency)))];
  const activity =
    ranked === null
      ? []
      : [
          'range_events',
          'range_visits',
          ...currencies.map((each) => (each === '' ? 'range_revenue' : `range_revenue_${each.toLowerCase()}`)),
        ];
  return {
    head: [
      ...['person', 'distinct_id', 'identified', 'name', 'email', 'first_seen', 'last_seen', 'visits', 'country'],
      ...activity,
      ...columns.map((name) => `property_${name}`),
      'properties',
    ],
    rowOf(person) {
      const did = didOf.get(person.number);
      const revenueIn = (currency: string) => did?.revenue.find((each) => each.currency === currency)?.sum ?? 0;
      const { properties } = person;
      return [
        ...cellsOf(person),
        ...(ranked === null ? [] : [did?.events ?? 0, did?.visits ?? 0, ...currencies.map(revenueIn)]),
        ...columns.map((name) => cellOf(properties[name])),
        JSON.stringify(properties),
      ];
    },
  };
}

function cellOf(value: JsonValue | undefined): TableCell {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function cellsOf(person: WholePerson): TableCell[] {
  const { uuid, distinctId, identified, email, firstSeen, lastSeen, visits, country, properties } = person;
  const name = properties['name'];
  return [
    uuid,
    distinctId,
    identified,
    typeof name === 'string' ? name : null,
    email,
    new Date(firstSeen).toISOString(),
    lastSeen === null ? null : new Date(lastSeen).toISOString(),
    visits,
    country,
  ];
}
