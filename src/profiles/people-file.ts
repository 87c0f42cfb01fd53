/** Streams the list of people as a file, in its order, with all their data. */
import type { Knex } from 'knex';
import type { TableCell } from '#src/kit/csv.ts';
import type { Reader } from '#src/kit/reading/reader.ts';
import type { TablePiece } from '#src/kit/table-file.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, sql } from '#src/store/sql.ts';
import type { PeopleQuery } from './contract.ts';
import { anyOf, peopleOf, type WholePerson } from './people-list.ts';
import { laterFirst, type Place, placesOf } from './people-order.ts';
import { wantedPeople } from './people-wanted.ts';
import { MAX_COUNTED } from './values.ts';

export interface PeopleFile {
  /** How many there are. */
  people: number;
  /** The first piece is the head. */
  pieces: AsyncGenerator<TablePiece, void>;
}

export interface FileParts {
  db: Knex;
  /** How a project reads values. */
  readerOf(projectId: ProjectId): Promise<Reader>;
}

/** Put in order, and written, at a time. */
const BATCH = 1_000;
const PIECE = 250;
const head = [
  'person',
  'distinct_id',
  'identified',
  'name',
  'email',
  'first_seen',
  'last_seen',
  'visits',
  'country',
  'properties',
];

/** The set of people is fixed at the start. */
export async function peopleFile(
  parts: FileParts,
  projectId: ProjectId,
  asked: Omit<PeopleQuery, 'after'>,
  signal: AbortSignal,
): Promise<PeopleFile> {
  const { found } = wantedPeople(projectId, await parts.readerOf(projectId), asked);
  const [row] = await query<{ numbers: number[] | null }>(
    parts.db,
    sql`select array_agg(number order by created_at desc, number desc) as numbers
          from persons where ${anyOf(projectId, found)}`,
  );
  const numbers = row?.numbers ?? [];
  return { people: numbers.length, pieces: piecesOf(parts, projectId, numbers, asked, signal) };
}

async function* piecesOf(
  parts: Pick<FileParts, 'db'>,
  projectId: ProjectId,
  byCreation: readonly number[],
  { sort }: Pick<PeopleQuery, 'sort'>,
  signal: AbortSignal,
): AsyncGenerator<TablePiece, void> {
  const numbers = sort === 'seen' ? await seenLast(parts, projectId, byCreation, signal) : byCreation;
  yield { cells: [head], rows: 0 };
  for (const some of inPieces(numbers, PIECE)) {
    signal.throwIfAborted();
    const people = await peopleOf(parts.db, projectId, some, {
      mostVisits: MAX_COUNTED,
      properties: sql`p.properties`,
    });
    if (people.length > 0) yield { cells: people.map(rowOf), rows: people.length };
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

function rowOf(person: WholePerson): TableCell[] {
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
    JSON.stringify(properties),
  ];
}
