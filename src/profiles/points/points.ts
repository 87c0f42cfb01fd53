/** People behind a number of an insight: who they are, searched, put in order, page by page or as a file. */
import type { Knex } from 'knex';
import type { PointPeople } from '#src/columns/columns.ts';
import type { TableCell } from '#src/kit/csv.ts';
import { plainReader } from '#src/kit/reading/reader.ts';
import type { TablePiece } from '#src/kit/table-file.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { query, sql } from '#src/store/sql.ts';
import { anyOf, peopleOf, type WholePerson } from '../people-list.ts';
import { wantedPeople } from '../people-wanted.ts';
import { shortened } from '../shortened.ts';
import type { PointListInput, PointPage, PointPerson } from './contract.ts';
import { POINT_PAGE } from './values.ts';

/** People of a file that are looked up at a time. */
const PIECE = 250;

type Order = Pick<PointListInput, 'search' | 'sort' | 'reversed'>;

export async function listPointPeople(
  db: Knex,
  projectId: ProjectId,
  found: PointPeople,
  { page, ...order }: Omit<PointListInput, 'asOf'>,
): Promise<PointPage> {
  const places = await placesInOrder(db, projectId, found, order);
  const shown = places.subarray((page - 1) * POINT_PAGE, page * POINT_PAGE);
  const rows = await lookUp(db, projectId, found, shown);
  return {
    value: found.value,
    people: found.people.length,
    found: places.length,
    rows: rows.map(({ person, place }) => ({
      ...figuresAt(found, place),
      uuid: person.uuid,
      identified: person.identified,
      label: person.label,
      email: person.email,
      distinctId: person.distinctId,
      country: person.country,
      properties: shortened(person.properties),
    })),
  };
}

/** The same people as a table, the head first. */
export async function* pointPeoplePieces(
  db: Knex,
  projectId: ProjectId,
  found: PointPeople,
  order: Order,
  signal: AbortSignal,
): AsyncGenerator<TablePiece, void> {
  const currencies = found.revenue.map(({ currency }) => currency);
  const columns = currencies.map((currency) => (currency === '' ? 'revenue' : `revenue_${currency.toLowerCase()}`));
  yield {
    cells: [
      [
        'person',
        'distinct_id',
        'identified',
        'name',
        'email',
        'events',
        'visits',
        ...columns,
        'last_seen',
        'country',
        'properties',
      ],
    ],
    rows: 0,
  };
  const places = await placesInOrder(db, projectId, found, order);
  for (let at = 0; at < places.length; at += PIECE) {
    signal.throwIfAborted();
    const rows = await lookUp(db, projectId, found, places.subarray(at, at + PIECE));
    if (rows.length > 0)
      yield { cells: rows.map(({ person, place }) => rowOf(person, found, place)), rows: rows.length };
  }
}

function rowOf(person: WholePerson, found: PointPeople, place: number): TableCell[] {
  const { events, visits, lastSeen } = figuresAt(found, place);
  const name = person.properties['name'];
  return [
    person.uuid,
    person.distinctId,
    person.identified,
    typeof name === 'string' ? name : null,
    person.email,
    events,
    visits,
    ...found.revenue.map(({ sums }) => sums[place] as number),
    lastSeen === null ? null : new Date(lastSeen).toISOString(),
    person.country,
    JSON.stringify(person.properties),
  ];
}

/** People at these places. People deleted after counting are missing. */
async function lookUp(db: Knex, projectId: ProjectId, { people }: PointPeople, places: Int32Array) {
  const numbers = Array.from(places, (place) => people[place] as number);
  const persons = await peopleOf(db, projectId, numbers, { mostVisits: 1, properties: sql`p.properties` });
  const placeOf = new Map(numbers.map((number, at) => [number, places[at] as number]));
  return persons.map((person) => ({ person, place: placeOf.get(person.number) as number }));
}

function figuresAt(
  found: PointPeople,
  place: number,
): Pick<PointPerson, 'events' | 'visits' | 'revenue' | 'lastSeen' | 'times'> {
  const lastSeen = found.lastSeen[place] as number;
  return {
    events: found.events[place] as number,
    visits: found.visits[place] as number,
    times: found.times[place] as number,
    lastSeen: lastSeen === 0 ? null : lastSeen,
    revenue: found.revenue.flatMap(({ currency, sums }) =>
      sums[place] === 0 ? [] : [{ currency, sum: sums[place] as number }],
    ),
  };
}

/** Places of the search's matches, sorted; ties by creation, newest first. */
async function placesInOrder(db: Knex, projectId: ProjectId, found: PointPeople, { search, sort, reversed }: Order) {
  const keys = keysOf(found, sort);
  const places =
    search === undefined ? Int32Array.from(found.people.keys()) : await matching(db, projectId, found, search);
  const direction = reversed ? -1 : 1;
  return places.sort((one, other) => direction * ((keys[other] as number) - (keys[one] as number)) || other - one);
}

function keysOf(found: PointPeople, sort: PointListInput['sort']): ArrayLike<number> {
  if (sort === 'events') return found.events;
  if (sort === 'visits') return found.visits;
  if (sort === 'seen') return found.lastSeen;
  return found.revenue[0]?.sums ?? new Float64Array(found.people.length);
}

async function matching(db: Knex, projectId: ProjectId, { people }: PointPeople, search: string): Promise<Int32Array> {
  // Rules for reading are for properties: ids and names are searched as they are.
  const { found } = wantedPeople(projectId, plainReader, { search, everybody: true });
  const rows = await query<{ number: number }>(
    db,
    sql`select number from persons where (${anyOf(projectId, found)}) and number = any(${[...people]}::int[])`,
  );
  const wanted = new Set(rows.map(({ number }) => number));
  return Int32Array.from(people.keys()).filter((place) => wanted.has(people[place] as number));
}
