/** The door of this room: raw events, looked at page by page and taken along as files. Numbers of them come from the engine. */
import type { Reader } from '#src/accounts/contract.ts';
import type { Columns } from '#src/columns/columns.ts';
import { localeOf, placeConditions } from '#src/columns/filters/date-times.ts';
import { isBeyondEngine } from '#src/columns/filters/filter-sql.ts';
import type { History } from '#src/events/history.ts';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import type { QueryScope } from '#src/insights/query/scope.ts';
import { AppError } from '#src/kit/errors.ts';
import { rulesIn } from '#src/kit/reading/reader.ts';
import { dataOf, type FilePiece, tableFile } from '#src/kit/table-file.ts';
import type { TableFormat } from '#src/kit/values.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Blobs } from '#src/store/blobs.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import {
  type EventListQuery,
  type EventPlace,
  type ExplorerNames,
  type ExplorerPage,
  type ExportInput,
  MAX_PEOPLE_AT_ONCE,
  type PageInput,
  type PeopleExportQuery,
} from './contract.ts';
import { type Catalogue, createCatalogue } from './definitions.ts';
import { createEarly, type Early } from './early.ts';
import { explainFiles, explainList } from './explain.ts';
import { exportPieces, fileKind } from './export-file.ts';
import { createExports, type Exports, type PeopleFiles } from './exports.ts';
import { namesOf } from './names.ts';
import { placeBefore, placeUpTo, rowOf, type SearchQuery, search, searchNewer } from './search.ts';
import { MAX_AT_ONCE } from './values.ts';

export interface Explorer {
  /** A page of events, the newest first. @throws AppError `invalid`, `timeout` */
  page(project: Project, asked: Omit<PageInput, 'project' | 'segment'>): Promise<ExplorerPage>;
  /** Names to choose from. */
  names(projectId: ProjectId): Promise<ExplorerNames>;
  /** A file that is made while it is read. @throws AppError `too_large` when it is better made in the background */
  exportNow(project: Project, asked: EventsFileQuery, signal: AbortSignal): Promise<FileNow>;
  /** Asks for a file that is made in the background. @throws AppError `invalid`, `conflict` */
  askExport(project: Project, asked: Omit<ExportInput, 'project' | 'segment'>, by: Reader): Promise<{ id: number }>;
  /** The same for people. */
  exportPeopleNow(project: Project, asked: PeopleFileQuery, signal: AbortSignal): Promise<FileNow>;
  askPeopleExport(project: Project, asked: PeopleExportQuery, by: Reader): Promise<{ id: number }>;
  exports: Exports;
  early: Early;
  catalogue: Catalogue;
  /** How many there are of them; null where only looking at every row would tell. @throws as `page` */
  count(project: Project, asked: EventListQuery): Promise<{ events: number | null }>;
  /** How that is counted. @throws AppError `invalid` */
  explainList(project: Project, asked: EventListQuery): Promise<ScreenExplanation<'list'>>;
  /** How what files hold is counted. */
  explainFiles(projectId: ProjectId): ScreenExplanation<'files'>;
}

/** Query of a file, and the reader's table format. */
type EventsFileQuery = Omit<ExportInput, 'project' | 'segment'> & { table: TableFormat };
type PeopleFileQuery = PeopleExportQuery & { table: TableFormat };

/** A file that is made while it is read. */
export interface FileNow {
  type: string;
  fileName: string;
  pieces: AsyncGenerator<FilePiece['data'], void>;
}

export interface ExplorerParts {
  history: Pick<History, 'listed' | 'deleteBefore'>;
  insights: Pick<Insights, 'range' | 'people'>;
  columns: Pick<Columns, 'series' | 'propertyRows' | 'persons' | 'firstEvents'>;
  people: PeopleFiles;
  blobs: Blobs;
}

/** A page is given what was found in this time; what takes longer goes on with the next page. */
const PAGE_MS = 3_000;

/** Access to raw events includes their persons. */
const seen = (project: Project): QueryScope => ({ ...project, seesPersons: true });

export function createExplorer(
  { config, db, clock, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>,
  parts: ExplorerParts,
): Explorer {
  const { history, insights, columns, people, blobs } = parts;
  const exports = createExports({ db, clock, log }, { history, columns, people, blobs });
  return {
    async page(project, { range: asked, filters: given, people: set, names, columns: chosen, limit, ...at }) {
      const range = await insights.range(project, asked);
      const whose = await eventScopeOf(project, set);
      const { from, to } = range;
      const filters = placeConditions(given, localeOf(project));
      const wanted = { projectId: project.id, reading: rulesIn(project.settings), from, to, filters, whose, names };
      const begun = clock.elapsed();
      const parts = { history, elapsed: clock.elapsed };
      const mayGoOn = () => clock.elapsed() - begun < PAGE_MS;
      const common = { timeZone: project.timeZone, range };
      const { after, before } = at;
      if (after === undefined && before !== undefined) {
        const { events, searchedUp } = await searchNewer(parts, wanted, { before, limit: limit + 1 }, mayGoOn);
        const shown = events.slice(-limit);
        const [first, last] = [shown[0], shown.at(-1)];
        const isMore = events.length > limit && first !== undefined;
        if (isMore || searchedUp < to) {
          return {
            ...common,
            rows: shown.map((event) => rowOf(event, chosen)),
            searchedTo: null,
            next: last === undefined ? placeBefore(before.ts + 1) : placeOf(last),
            newer: isMore ? placeOf(first) : placeUpTo(searchedUp),
            searchedUp: isMore ? null : searchedUp,
          };
        }
        // These are among the newest, which fill a page.
      }
      const { events, searchedTo } = await search(parts, wanted, { after, limit: limit + 1 }, mayGoOn);
      const shown = events.slice(0, limit);
      const last = shown.at(-1);
      const isMore = events.length > limit && last !== undefined;
      const isCut = !isMore && searchedTo > from;
      return {
        ...common,
        rows: shown.map((event) => rowOf(event, chosen)),
        searchedUp: null,
        next: isMore ? placeOf(last) : isCut ? placeBefore(searchedTo) : null,
        newer: after === undefined ? null : shown[0] === undefined ? after : placeOf(shown[0]),
        searchedTo: isCut ? searchedTo : null,
      };
    },
    names: (projectId) => namesOf(db, projectId),
    count,
    async explainList(project, { range: asked, filters = null, people: set, names }) {
      const { from, to } = await insights.range(project, asked);
      const people = await insights.people(seen(project), set);
      const placed = placeConditions({ filters, people }, localeOf(project));
      const reading = rulesIn(project.settings);
      return explainList({ projectId: project.id, reading, from, to, ...placed, names }, clock.now());
    },
    explainFiles: (projectId) => explainFiles(projectId, clock.now()),
    exports,
    early: createEarly({ config, clock, log }, { columns, history }),
    catalogue: createCatalogue({ db, clock }, { columns }),
    async exportNow(project, { format, table, columns: chosen, ...asked }, signal) {
      // When counting times out, the file is sent directly: progress is visible.
      const { events } = await count(project, asked).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'timeout') return { events: null };
        throw error;
      });
      if (events !== null && events > MAX_AT_ONCE) {
        throw new AppError(
          'too_large',
          `${events} events are too many to download directly (limit ${MAX_AT_ONCE}). Export in the background instead.`,
        );
      }
      const whose = await eventScopeOf(project, asked.people);
      const wanted = { ...(await wantedOf(project, asked)), whose, columns: chosen, format, table };
      const pieces = exportPieces({ history, elapsed: clock.elapsed }, wanted, signal);
      const { type, extension } = fileKind(format, table);
      return { type, fileName: `events.${extension}`, pieces: dataOf(pieces) };
    },
    async askExport(project, { format, columns: chosen, ...asked }, by) {
      const { projectId, ...wanted } = await wantedOf(project, asked);
      const set = (await insights.people(seen(project), asked.people)) ?? undefined;
      return exports.ask(
        { projectId, format, question: { ...wanted, set, columns: chosen, table: by.tableFormat } },
        by,
      );
    },
    async exportPeopleNow(project, { table, ...asked }, signal) {
      const file = await people.file(project.id, asked, signal);
      if (file.people > MAX_PEOPLE_AT_ONCE) {
        throw new AppError(
          'too_large',
          `${file.people} people are too many to download directly (limit ${MAX_PEOPLE_AT_ONCE}). Export in the background instead.`,
        );
      }
      const { type, extension } = fileKind('csv', table);
      return { type, fileName: `people.${extension}`, pieces: dataOf(tableFile(file.pieces, table)) };
    },
    askPeopleExport: (project, asked, by) =>
      exports.ask({ projectId: project.id, format: 'csv', question: { people: asked, table: by.tableFormat } }, by),
  };

  async function wantedOf(project: Project, { range, filters, names }: EventListQuery): Promise<SearchQuery> {
    const { from, to, until } = await insights.range(project, range);
    const placed = placeConditions(filters, localeOf(project));
    return { projectId: project.id, reading: rulesIn(project.settings), from, to: until ?? to, filters: placed, names };
  }

  /** Persons of the events; undefined: all. */
  async function eventScopeOf(project: Project, asked: EventListQuery['people']): Promise<SearchQuery['whose']> {
    const people = await insights.people(seen(project), asked);
    return people === null ? undefined : columns.persons({ projectId: project.id, people });
  }

  async function count(project: Project, { range: asked, filters, people, names }: EventListQuery) {
    if (filters && isBeyondEngine(filters)) return { events: null };
    const { from, to } = await insights.range(project, asked);
    const question = {
      projectId: project.id,
      filters: filters ?? null,
      spans: [{ from, until: to, starts: [] }],
      people: await insights.people(seen(project), people),
      views: names.length > 0 ? names : await allNames(project.id),
    };
    const [found] = await columns.series(question);
    const { views = 0, botViews = 0, internalViews = 0 } = found?.total ?? {};
    return { events: views + botViews + internalViews };
  }

  async function allNames(projectId: number): Promise<string[]> {
    const rows = await query<{ name: string }>(db, sql`select name from event_names where project_id = ${projectId}`);
    return rows.map(({ name }) => name);
  }
}

function placeOf({ ts, uuid }: EventPlace): EventPlace {
  return { ts, uuid };
}
