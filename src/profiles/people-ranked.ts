/** People by what they did in a range, the most first; then those who did nothing in it, the newest first. */
import type { RankFound, RankPlace } from '#src/columns/columns.ts';
import type { RankPersonsQuery } from '#src/insights/insights.ts';
import { invalid } from '#src/kit/errors.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import type { ActivitySort, PeopleQuery, PersonActivity, PersonPlace } from './contract.ts';
import { whoseBitIsOff } from './people-alone.ts';
import { fittingOf } from './people-days.ts';
import { activitySorts, DEFAULT_RANGE } from './values.ts';

/** Asks who did how much in a range. */
export type Rank = (projectId: ProjectId, asked: RankPersonsQuery) => Promise<RankFound>;

export interface Ranking extends Pick<PeopleQuery, 'range' | 'after'> {
  sort: ActivitySort;
  limit: number;
  mayGoOn(): boolean;
}

export function isActivitySort(sort: PeopleQuery['sort']): sort is ActivitySort {
  return activitySorts.some((each) => each === sort);
}

/** Someone in this order. */
export interface RankedPlace {
  number: number;
  place: PersonPlace;
  did: PersonActivity;
}

export interface RankedPeople {
  places: RankedPlace[];
  /** Set when looking took too long: those before this place are all listed. */
  searchedTo: { value: number; number: number } | null;
}

/** Of these people, the first after a place. */
export function rankThese(
  rank: Rank,
  projectId: ProjectId,
  numbers: readonly number[],
  ranking: Ranking,
): Promise<RankedPeople> {
  const these = sql`project_id = ${projectId} and number = any(${[...numbers]}::int[])`;
  return ranked(rank, projectId, ranking, numbers, { found: these, fits: sql`true` });
}

/** Of all who fit. @param fits whom, as a condition on rows of `persons` */
export function rankFitting(rank: Rank, projectId: ProjectId, fits: Sql, ranking: Ranking): Promise<RankedPeople> {
  const everybody = sql`project_id = ${projectId} and not merged`;
  return ranked(rank, projectId, ranking, null, { found: everybody, fits });
}

async function ranked(
  rank: Rank,
  projectId: ProjectId,
  { sort, range = DEFAULT_RANGE, after, limit, mayGoOn }: Ranking,
  only: readonly number[] | null,
  among: { found: Sql; fits: Sql },
): Promise<RankedPeople> {
  const idle = after !== undefined && 'at' in after ? after : undefined;
  if (idle !== undefined && !idle.alone) throw invalid('after', 'This place is of another order.');
  const found = await rank(projectId, {
    measure: sort,
    range,
    after: after === undefined ? null : 'at' in after ? 'idle' : after,
    limit,
    only,
    choose: (client, numbers) => fittingOf(client, projectId, among.fits, numbers),
    others: (client, active, most) => whoseBitIsOff(client, among, active, { after: idle, limit: most }),
    mayGoOn,
  });
  return {
    places: found.people.map((person, at) => ({
      number: person.number,
      place: placeOf(person),
      did: activityAt(found, at),
    })),
    searchedTo: found.searchedTo,
  };
}

function placeOf({ number, value, idle }: RankPlace): PersonPlace {
  return idle === null ? { value, number } : { at: idle.at, number, alone: true };
}

function activityAt({ figures }: RankFound, at: number): PersonActivity {
  return {
    events: figures.events[at] as number,
    visits: figures.visits[at] as number,
    revenue: figures.revenue.flatMap(({ currency, sums }) =>
      sums[at] === 0 ? [] : [{ currency, sum: sums[at] as number }],
    ),
  };
}
