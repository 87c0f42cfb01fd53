/** Heatmaps: where visitors clicked on a page and how far they scrolled, and a recording to draw that over. */
import { heatmapKinds } from '#src/events/contract.ts';
import type { Insights } from '#src/insights/insights.ts';
import { isLike } from '#src/kit/patterns/values.ts';
import { type Reader, readerOf, rulesIn } from '#src/kit/reading/reader.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Reading } from '../reading.ts';
import type { Heatmap, HeatmapQuery, HeatmapRecording, PageActivity } from './contract.ts';
import * as queries from './queries.ts';
import { DEPTHS, MAX_CELLS, PAGES_SHOWN, widthClasses } from './values.ts';

export interface Heatmaps {
  heatmap(project: Project, asked: HeatmapQuery): Promise<Heatmap>;
  /** A recording in which the page is seen; null: there is none. */
  heatmapRecording(project: Project, asked: Omit<HeatmapQuery, 'show'>): Promise<HeatmapRecording | null>;
}

export interface HeatmapsParts {
  insights: Pick<Insights, 'range'>;
  reading: Pick<Reading, 'readSession'>;
}

/** A page with the names under which it is stored. */
interface ReadPage extends PageActivity {
  stored: Map<string, { host: string; page: string }>;
}

const kindNames = new Map<number, string>(Object.entries(heatmapKinds).map(([name, number]) => [number, name]));

export function createHeatmaps({ db }: Pick<Deps, 'db'>, { insights, reading }: HeatmapsParts): Heatmaps {
  async function pagesOf(project: Project, asked: Omit<HeatmapQuery, 'show'>) {
    const { from, to } = await insights.range(project, asked.range);
    const wanted: queries.WantedPoints = { projectId: project.id, from, to, width: widthClasses[asked.width] };
    const reader = readerOf(rulesIn(project.settings));
    const rows = await queries.countPages(db, wanted);
    const hosts = [...new Set(rows.map(({ host }) => hostOf(reader, host)))].sort();
    const { host } = asked;
    const own = host === undefined ? rows : rows.filter((row) => hostOf(reader, row.host) === host);
    const pages = [...pagesIn(own, reader)].sort(byClicks);
    const page = asked.page ?? pages[0]?.page ?? null;
    const shown = page === null ? [] : pages.filter((each) => each.page === page || isLike(each.page, page));
    return { wanted, hosts, pages, page, shown };
  }

  return {
    async heatmap(project, asked) {
      const { wanted, hosts, pages, page, shown } = await pagesOf(project, asked);
      const stored = shown.flatMap((each) => [...each.stored.values()]);
      const { show } = asked;
      const isScroll = show === 'scroll';
      const cells =
        isScroll || stored.length === 0 ? [] : await queries.countCells(db, wanted, { pages: stored, kind: show });
      const depths = isScroll ? await queries.countDepths(db, wanted, stored) : [];
      return {
        isOn: project.settings.heatmaps,
        page,
        totals: sumOf(shown),
        pages: pages.slice(0, PAGES_SHOWN).map(({ stored: _, ...each }) => each),
        hosts,
        cells: cells.slice(0, MAX_CELLS),
        isCut: cells.length > MAX_CELLS,
        reached: isScroll ? reachedOf(depths) : [],
      };
    },
    async heatmapRecording(project, asked) {
      const { wanted, shown } = await pagesOf(project, asked);
      const stored = shown.flatMap((each) => [...each.stored.values()]);
      const paths = [...new Set(stored.map(({ page }) => page.replace(/#.*/s, '')))];
      if (paths.length === 0) return null;
      const session = await queries.recordingWith(db, wanted, paths);
      if (session === null) return null;
      const { firstAt, lastAt, blocks } = await reading.readSession(project.id, session);
      const listed = blocks.map(({ rawBytes: _, ...block }) => block);
      return { session, firstAt, lastAt, paths, blocks: listed };
    },
  };
}

function hostOf(reader: Reader, host: string): string {
  return reader.value('$host', host);
}

/** Pages as the project reads them. */
function pagesIn(rows: readonly queries.PageRow[], reader: Reader): Iterable<ReadPage> {
  const pages = new Map<string, ReadPage>();
  for (const { host, page, kind, count } of rows) {
    const [path = ''] = page.split('#', 1);
    const name = reader.value('$pathname', path, [`http://page${page}`]);
    const read = pages.get(name) ?? { page: name, clicks: 0, rage: 0, dead: 0, views: 0, stored: new Map() };
    pages.set(name, read);
    read.stored.set(`${host} ${page}`, { host, page });
    const kindName = kindNames.get(kind);
    if (kindName === 'click') read.clicks += count;
    else if (kindName === 'scroll') read.views += count;
    else if (kindName === 'rage' || kindName === 'dead') read[kindName] += count;
  }
  return pages.values();
}

function byClicks(one: PageActivity, other: PageActivity): number {
  return other.clicks - one.clicks || other.views - one.views || (one.page < other.page ? -1 : 1);
}

function sumOf(pages: readonly PageActivity[]): Omit<PageActivity, 'page'> {
  const sum = { clicks: 0, rage: 0, dead: 0, views: 0 };
  for (const page of pages) {
    sum.clicks += page.clicks;
    sum.rage += page.rage;
    sum.dead += page.dead;
    sum.views += page.views;
  }
  return sum;
}

/** How many views came at least so far, for each depth. */
function reachedOf(depths: readonly { depth: number; count: number }[]): number[] {
  const reached = new Array<number>(DEPTHS + 1).fill(0);
  for (const { depth, count } of depths) reached[depth] = (reached[depth] ?? 0) + count;
  for (let depth = DEPTHS - 1; depth >= 0; depth--) reached[depth] = (reached[depth] ?? 0) + (reached[depth + 1] ?? 0);
  return reached;
}
