/** The door of this room: raw events, looked at page by page. Numbers of them come from the engine. */
import type { Columns } from '#src/columns/columns.ts';
import type { History } from '#src/events/history.ts';
import type { Insights } from '#src/insights/insights.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';
import type { Explored, ExplorerNames, ExplorerPage, PageInput } from './contract.ts';
import { isBeyondEngine } from './filter-sql.ts';
import { namesOf } from './names.ts';
import { placeBefore, rowOf, search } from './search.ts';

export interface Explorer {
  /** A page of events, the newest first. @throws AppError `invalid`, `timeout` */
  page(project: Project, asked: Omit<PageInput, 'project'>): Promise<ExplorerPage>;
  /** Names to choose from. */
  names(projectId: ProjectId): Promise<ExplorerNames>;
  /** How many there are of them; null where only looking at every row would tell. @throws as `page` */
  count(project: Project, asked: Explored): Promise<{ events: number | null }>;
}

export interface ExplorerParts {
  history: Pick<History, 'listed'>;
  insights: Pick<Insights, 'range'>;
  columns: Pick<Columns, 'series'>;
}

/** A page is given what was found in this time; what takes longer goes on with the next page. */
const PAGE_MS = 3_000;

export function createExplorer({ db, clock }: Pick<Deps, 'db' | 'clock'>, parts: ExplorerParts): Explorer {
  const { history, insights, columns } = parts;
  return {
    async page(project, { range: asked, filters, names, columns: chosen, after, limit }) {
      const range = await insights.range(project, asked);
      const { from, to } = range;
      const wanted = { projectId: project.id, from, to, filters, names };
      const begun = clock.elapsed();
      const { events, searchedTo } = await search(
        ...([history, wanted, { after, limit: limit + 1 }] as const),
        () => clock.elapsed() - begun < PAGE_MS,
      );
      const shown = events.slice(0, limit);
      const last = shown.at(-1);
      const isMore = events.length > limit && last !== undefined;
      const isCut = !isMore && searchedTo > from;
      return {
        timeZone: project.timeZone,
        range,
        rows: shown.map((event) => rowOf(event, chosen)),
        next: isMore ? { ts: last.ts, uuid: last.uuid } : isCut ? placeBefore(searchedTo) : null,
        searchedTo: isCut ? searchedTo : null,
      };
    },
    names: (projectId) => namesOf(db, projectId),
    async count(project, { range: asked, filters, names }) {
      if (filters && isBeyondEngine(filters)) return { events: null };
      const { from, to } = await insights.range(project, asked);
      const question = {
        ...{ projectId: project.id, filters: filters ?? null, spans: [{ from, until: to, starts: [] }] },
        views: names.length > 0 ? names : await allNames(project.id),
      };
      const [found] = await columns.series(question);
      const { views = 0, botViews = 0, internalViews = 0 } = found?.total ?? {};
      return { events: views + botViews + internalViews };
    },
  };

  async function allNames(projectId: number): Promise<string[]> {
    const rows = await query<{ name: string }>(db, sql`select name from event_names where project_id = ${projectId}`);
    return rows.map(({ name }) => name);
  }
}
