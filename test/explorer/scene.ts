/** A project with an explorer over it, for tests of what it shows. */

import { createHistory } from '#src/events/history.ts';
import type { ChosenColumn, EventListQuery, ExplorerPage } from '#src/explorer/contract.ts';
import { createExplorer, type Explorer } from '#src/explorer/explorer.ts';
import { createInsights } from '#src/insights/insights.ts';
import { createPeople } from '#src/persons/people.ts';
import { createProfiles } from '#src/profiles/profiles.ts';
import { createBlobs } from '#src/store/blobs.ts';
import { openScene, type Scene } from '../columns/scene.ts';

/** The days around noon. */
export const range = { from: '2026-11-10', to: '2026-11-25' };

export interface ExplorerScene extends Scene {
  explorer: Explorer;
  page(asked?: Partial<EventListQuery>, more?: PageQuery): Promise<ExplorerPage>;
  /** Everything, page by page. */
  all(asked?: Partial<EventListQuery>, limit?: number): Promise<ExplorerPage['rows']>;
}

interface PageQuery {
  columns?: ChosenColumn[];
  after?: { ts: number; uuid: string };
  before?: { ts: number; uuid: string };
  limit?: number;
}

export async function openExplorerScene(databaseUrl: string): Promise<ExplorerScene> {
  const scene = await openScene(databaseUrl);
  const { deps, columns, projects, project } = scene;
  const insights = createInsights(deps, { columns, changes: { version: () => null } });
  const history = createHistory(deps);
  const people = createProfiles(deps, { people: createPeople(deps), history, columns, projects, insights });
  const explorer = createExplorer(deps, {
    ...{ history, insights, columns, people },
    blobs: createBlobs(deps),
  });
  const page: ExplorerScene['page'] = (asked = {}, { columns: chosen = [], after, before, limit = 50 } = {}) =>
    explorer.page(project, { range, names: [], ...asked, columns: chosen, after, before, limit });
  return {
    ...scene,
    explorer,
    page,
    async all(asked = {}, limit = 200) {
      const rows: ExplorerPage['rows'] = [];
      let after: ExplorerPage['next'] = null;
      do {
        const found: ExplorerPage = await page(asked, after === null ? { limit } : { after, limit });
        rows.push(...found.rows);
        after = found.next;
      } while (after !== null);
      return rows;
    },
  };
}
