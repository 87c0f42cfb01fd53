/** The door of this room: people, found and looked at. Owner of `person_splits`. */
import type { Columns, PointGroups, PointPeople } from '#src/columns/columns.ts';
import type { DroppedEvents } from '#src/events/dropped.ts';
import type { History } from '#src/events/history.ts';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import { notFound } from '#src/kit/errors.ts';
import type { TablePiece } from '#src/kit/table-file.ts';
import type { People } from '#src/persons/people.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { PeoplePage, PeopleQuery, PersonDetail, PropertyChange, Timeline, TimelineInput } from './contract.ts';
import { explainPeople, explainPerson } from './explain.ts';
import { createGroups, type Groups } from './groups/groups.ts';
import { type PeopleFile, peopleFile } from './people-file.ts';
import { type ListLimits, listPeople } from './people-list.ts';
import type { Rank } from './people-ranked.ts';
import { readChanges, readPerson, readTimeline } from './person.ts';
import type { PointListInput, PointPage } from './points/contract.ts';
import { pointGroupsPage, pointGroupsPieces } from './points/point-groups.ts';
import { listPointPeople, pointPeoplePieces } from './points/points.ts';
import { createSplits, type Splits } from './splits.ts';

export interface Profiles {
  /** @throws AppError `invalid`, `timeout` */
  list(projectId: ProjectId, asked: PeopleQuery): Promise<PeoplePage>;
  groups: Groups;
  /** The people, or groups, behind a number of an insight. @throws AppError as `Insights.pointPeople` */
  pointPeople(
    found: PointPeople | PointGroups,
    projectId: ProjectId,
    asked: Omit<PointListInput, 'asOf'>,
  ): Promise<PointPage>;
  /** The same people as a table, the head first. */
  pointFile(
    found: PointPeople | PointGroups,
    projectId: ProjectId,
    asked: Pick<PointListInput, 'search' | 'sort' | 'reversed'>,
    signal: AbortSignal,
  ): AsyncGenerator<TablePiece, void>;
  /** The list as CSV, in its order. @throws AppError as `list` */
  file(projectId: ProjectId, asked: Omit<PeopleQuery, 'after'>, signal: AbortSignal): Promise<PeopleFile>;
  /** Null for unknown and erased people. */
  get(projectId: ProjectId, uuid: string): Promise<PersonDetail | null>;
  /** Their events, newest first. @throws AppError `not_found` */
  timeline(projectId: ProjectId, asked: Omit<TimelineInput, 'project'>): Promise<Timeline>;
  /** Their property changes, newest first. @throws AppError `not_found` */
  changes(projectId: ProjectId, uuid: string): Promise<PropertyChange[]>;
  /** SQL of the list's total. */
  explainList(projectId: ProjectId, asked: Omit<PeopleQuery, 'after'>): Promise<ScreenExplanation<'people'>>;
  /** How the numbers of a person are counted. @throws AppError `not_found` */
  explain(projectId: ProjectId, uuid: string): Promise<ScreenExplanation<'person'>>;
  splits: Splits;
}

export interface ProfilesParts {
  people: People;
  history: History;
  columns: Pick<Columns, 'lastSeen' | 'groupFigures' | 'firstEvent'>;
  projects: Pick<Projects, 'readerOf' | 'get'>;
  insights: Pick<Insights, 'rankPersons'> & { cohorts: Pick<Insights['cohorts'], 'nameOf'> };
  /** Counts events that are not stored here. */
  dropped?: Pick<DroppedEvents, 'countOf'>;
}

export interface ProfilesOptions {
  /** Limits of `listPeople`. */
  limits?: ListLimits;
}

/** Without ClickHouse nothing can be dropped. */
const noDropped = { countOf: async () => ({ events: 0, views: 0 }) };

export function createProfiles(
  deps: Pick<Deps, 'config' | 'db' | 'write' | 'clock' | 'log'>,
  { people, history, columns, projects, insights, dropped = noDropped }: ProfilesParts,
  { limits }: ProfilesOptions = {},
): Profiles {
  const { db, clock } = deps;
  const readerOf = (projectId: ProjectId) => projects.readerOf(projectId);
  const cohortName = (id: ProjectId, cohort: number) => insights.cohorts.nameOf({ id }, cohort);
  const rank: Rank = async (id, asked) => {
    const project = await projects.get(id);
    if (project === null) throw notFound('project');
    return insights.rankPersons({ ...project, seesPersons: true }, asked);
  };
  const parts = { db, clock, people, history, columns, dropped, readerOf, cohortName, rank };
  return {
    list: (projectId, asked) => listPeople(parts, projectId, asked, limits),
    file: (projectId, asked, signal) => peopleFile(parts, projectId, asked, signal),
    groups: createGroups({ db, clock, columns, people, history }),
    pointPeople: (found, projectId, asked) =>
      'keys' in found ? pointGroupsPage(db, projectId, found, asked) : listPointPeople(db, projectId, found, asked),
    pointFile: (found, projectId, asked, signal) =>
      'keys' in found
        ? pointGroupsPieces(db, projectId, found, asked)
        : pointPeoplePieces(db, projectId, found, asked, signal),
    get: (projectId, uuid) => readPerson(parts, projectId, uuid, clock.now()),
    explainList: (projectId, asked) => explainPeople(parts, projectId, asked, clock.now()),
    async explain(projectId, uuid) {
      const person = await people.get(projectId, uuid);
      if (person === null) throw notFound('person');
      const { persons } = await people.identityOf(projectId, [person.number]);
      return explainPerson(db, projectId, { uuid: person.uuid, persons }, clock.now());
    },
    timeline: (projectId, asked) => readTimeline(parts, projectId, asked),
    splits: createSplits(deps, { people, history }),
    changes: (projectId, uuid) => readChanges(parts, projectId, uuid),
  };
}
