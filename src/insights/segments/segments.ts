/** Filters that were given a name. Owner of `segments`. */
import { isAtLeast, type Reader } from '#src/accounts/contract.ts';
import { type Filters, unreadProperties } from '#src/columns/contract.ts';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import type { ProjectId, Role } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Goals } from '../goals/goals.ts';
import { keepGoals } from '../goals/queries.ts';
import { withOwnName } from '../own-name.ts';
import { bothPeople, conditionsWithin, goalsWithin, type PeopleQuery } from '../query/people/contract.ts';
import { selectionRevealsPersons } from '../query/person-filters.ts';
import { tryFilters } from '../suggestions/suggestions.ts';
import { MAX_SEGMENTS, type Segment, type SegmentInput, segmentDefinition } from './contract.ts';
import * as queries from './queries.ts';

/** The reader with project and role. */
export interface SegmentReader {
  project: ProjectId;
  reader: Pick<Reader, 'id'>;
  role: Role;
}

/** The part of a query's scope that a segment can change. */
export interface SegmentScope {
  filters?: Filters | undefined;
  people?: PeopleQuery | undefined;
}

export interface Segments {
  /** Shared ones and one's own that the asker may use, in the order of their names. */
  list(asker: SegmentReader): Promise<Segment[]>;
  /** @throws AppError `invalid` for filters that cannot be and goals that are not there, `conflict` when the name is taken or there are too many */
  save(asker: SegmentReader, input: Omit<SegmentInput, 'project'>): Promise<Segment>;
  /** @throws AppError `not_found`, `forbidden` for those of others, `conflict` when the name is taken */
  rename(asker: SegmentReader, id: number, name: string): Promise<void>;
  /**
   * Gives it another meaning, which links that name it have from then on.
   *
   * @throws AppError as `save` for its filters, `not_found`, `forbidden` for those of others
   */
  change(asker: SegmentReader, id: number, definition: Pick<SegmentInput, 'filters' | 'people'>): Promise<void>;
  /** @throws AppError `not_found`, `forbidden` for those of others, `conflict` when an insight uses it */
  remove(asker: SegmentReader, id: number): Promise<void>;
  /** Combines a scope with a segment. @throws AppError `not_found` for a missing or private one */
  within(asker: SegmentReader, id: number | undefined, which: SegmentScope): Promise<SegmentScope>;
}

export function createSegments({ db, clock }: Pick<Deps, 'db' | 'clock'>, goals: Pick<Goals, 'list'>): Segments {
  const asking = ({ project, reader }: SegmentReader): queries.SegmentOwner => ({ project, user: reader.id });

  async function changeable(asker: SegmentReader, id: number): Promise<void> {
    const row = await queries.segmentOf(db, asking(asker), id);
    if (row === null) throw notFound('segment');
    if (!isMine(row, asker)) throw forbidden();
  }

  /** @throws AppError `invalid` for what no number can be filtered by, or what is no pattern */
  async function check(field: string, filters: Filters): Promise<void> {
    const unread = unreadIn(filters);
    if (unread !== undefined) {
      throw invalid(field, `"${unread}" can’t be used in segments because metrics can’t be filtered by it.`);
    }
    await tryFilters(db, filters, field);
  }

  /** Validates and returns the stored form. */
  async function checked(filters: Filters, people: PeopleQuery | undefined): Promise<object> {
    await check('filters', filters);
    if (people !== undefined) await check('people', conditionsWithin(people));
    return { version: 4, filters, ...(people && { people }) };
  }

  return {
    async list(asker) {
      const segments = (await queries.segmentsOf(db, asking(asker))).map((row) => asSegment(row, asker));
      if (isAtLeast(asker.role, 'member')) return segments;
      const known = new Set((await goals.list({ id: asker.project, seesPersons: false })).map(({ id }) => id));
      const named = ({ people }: Segment) => (people === undefined ? [] : goalsWithin(people));
      return segments.filter(
        (segment) => !selectionRevealsPersons(segment) && named(segment).every((goal) => known.has(goal)),
      );
    },
    async save(asker, { name, shared, filters, people }) {
      const definition = await checked(filters, people);
      const segment = { name, shared, definition, now: clock.now() };
      const made = await withOwnName(
        'segment',
        db.transaction(async (trx) => {
          if (people !== undefined) await keepGoalsOf(trx, asker.project, people);
          return queries.insertSegment(trx, asking(asker), segment, MAX_SEGMENTS);
        }),
      );
      if (made === null) {
        throw new AppError('conflict', `Limit of ${MAX_SEGMENTS} segments per project reached. Delete one first.`);
      }
      return asSegment(made, asker);
    },
    async rename(asker, id, name) {
      await changeable(asker, id);
      await withOwnName('segment', queries.renameSegment(db, asking(asker), id, { name, now: clock.now() }));
    },
    async change(asker, id, { filters, people }) {
      await changeable(asker, id);
      const definition = await checked(filters, people);
      await db.transaction(async (trx) => {
        if (people !== undefined) await keepGoalsOf(trx, asker.project, people);
        const changed = await queries.redefineSegment(trx, asking(asker), id, { definition, now: clock.now() });
        if (!changed) throw notFound('segment');
      });
    },
    async remove(asker, id) {
      await changeable(asker, id);
      await db.transaction(async (trx) => {
        await queries.lockSegment(trx, asking(asker), id);
        if (await queries.deleteSegment(trx, asking(asker), id)) return;
        const message = 'Insights use this segment. Edit or archive them first.';
        throw new AppError('conflict', message, { field: 'uses' });
      });
    },
    async within(asker, id, which) {
      if (id === undefined) return which;
      const row = await queries.segmentOf(db, asking(asker), id);
      if (row === null) throw notFound('segment');
      return withinBoth(asSegment(row, asker), which);
    },
  };
}

/** True for the owner; administrators may also edit shared segments. */
function isMine({ owner, shared }: queries.SegmentRow, { reader, role }: SegmentReader): boolean {
  return owner === reader.id || (shared && isAtLeast(role, 'admin'));
}

function asSegment(row: queries.SegmentRow, asker: SegmentReader): Segment {
  const { id, name, shared, definition } = row;
  const { filters, people } = segmentDefinition.parse(definition);
  return { id, name, shared, filters, ...(people && { people }), isMine: isMine(row, asker) };
}

/** Locks the referenced goals until the segment is saved. @throws AppError `invalid` for a deleted goal, which would change the meaning */
async function keepGoalsOf(on: Queryable, project: ProjectId, people: PeopleQuery): Promise<void> {
  const named = goalsWithin(people);
  if (named.length === 0) return;
  const kept = await keepGoals(on, project, named);
  if (named.every((id) => kept.has(id))) return;
  throw invalid('people', 'This segment uses a deleted goal. Choose another goal or remove the condition.');
}

/** A property that no number can be filtered by. */
function unreadIn({ of }: Filters): string | undefined {
  const leaves = of.flatMap((item) => ('of' in item ? item.of : [item]));
  return leaves.find(({ about, name }) => about === 'event' && unreadProperties.has(name))?.name;
}

/** The intersection of both. */
export function withinBoth(
  { filters, people }: Pick<Segment, 'filters' | 'people'>,
  which: SegmentScope,
): SegmentScope {
  return { filters: bothOf(filters, which.filters), people: bothPeople(people, which.people) };
}

/** The conjunction of both. AND lists are merged; the engine accepts any nesting. */
function bothOf(segment: Filters, filters: Filters | undefined): Filters {
  if (filters === undefined || filters.of.length === 0) return segment;
  const of = [segment, filters].flatMap((each): unknown[] => (each.match === 'all' ? each.of : [each]));
  return { match: 'all', of: of as Filters['of'] };
}
