/**
 * What a link shows: one dashboard or insight, and the numbers of its tiles. The only way from a link to data. Its readers see less than a
 * viewer of the project: no person, no property of persons, and no other object.
 */
import type { UserId } from '#src/accounts/contract.ts';
import type { DashboardContent } from '#src/dashboards/contract.ts';
import type { Dashboards } from '#src/dashboards/dashboards.ts';
import type { Insights } from '#src/insights/insights.ts';
import { kindNamed } from '#src/insights/kinds/all-kinds.ts';
import type { SavedInsight } from '#src/insights/saved/contract.ts';
import { notFound } from '#src/kit/errors.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import type { SharedObject } from './contract.ts';

export interface SharedView {
  name: string;
  description: string;
  content: DashboardContent;
  /** Insights of the tiles; those that reveal persons are not there. */
  insights: SavedInsight[];
  timeZone: string;
  weekStart: 0 | 1;
  /** Goals that the queries name. */
  goals: { id: number; name: string }[];
  /** The result of a query of a tile. @throws AppError as queries of its kind, `not_found` for any other call */
  query(path: string, input: unknown): Promise<unknown>;
}

export interface SharedParts {
  projects: Pick<Projects, 'get'>;
  insights: Pick<Insights, 'query' | 'segments' | 'goals'> & { saved: Pick<Insights['saved'], 'get'> };
  dashboards: Pick<Dashboards, 'get'>;
}

/** No account, so no favorites, views or private segments. */
const NOBODY = -1 as UserId;

/** The reader of a link. */
export function strangerIn(project: Project) {
  return { project: { ...project, seesPersons: false }, reader: { id: NOBODY }, role: 'viewer' as const };
}

/** @throws AppError `not_found` for what is gone, archived, or reveals persons */
export async function openShared(
  { projects, insights, dashboards }: SharedParts,
  projectId: number,
  { kind, id }: SharedObject,
): Promise<SharedView> {
  const project = await projects.get(projectId);
  if (project === null || project.deletesAt !== null) throw notFound('page');
  const asker = strangerIn(project);
  const [shown, goals] = await Promise.all([
    kind === 'dashboard' ? dashboards.get(asker, id) : openInsight(),
    insights.goals.list(asker.project),
  ]);

  async function openInsight() {
    const insight = await insights.saved.get(asker, id);
    if (insight.archivedAt !== null) throw notFound('page');
    return { ...insight, content: contentOf(insight), insights: [insight] };
  }

  return {
    name: shown.name,
    description: shown.description,
    content: shown.content,
    insights: shown.insights,
    timeZone: project.timeZone,
    weekStart: project.weekStart,
    goals: goals.map((goal) => ({ id: goal.id, name: goal.name })),
    async query(path, input) {
      const kind = path.startsWith(QUERIES) ? kindNamed(path.slice(QUERIES.length)) : undefined;
      if (kind === undefined) throw notFound('query');
      const { project: _, segment, ...asked } = input as Record<string, unknown>;
      const { filters, people, ...question } = kind.input.parse(asked);
      const reader = { project: project.id, reader: asker.reader, role: asker.role };
      const within = await insights.segments.within(reader, segment as number | undefined, { filters, people });
      return insights.query(kind, asker.project, {
        ...question,
        ...(within.filters && { filters: within.filters }),
        ...(within.people && { people: within.people }),
      });
    },
  };
}

const QUERIES = 'insights.query.';

/** An insight as a dashboard with one tile. */
function contentOf({ id, query }: SavedInsight): DashboardContent {
  const { range, compare } = query as Pick<DashboardContent, 'range'> & Partial<Pick<DashboardContent, 'compare'>>;
  return {
    tiles: [{ id: 'insight', kind: 'insight', insight: id, width: 12, height: 4 }],
    range,
    compare: compare ?? 'none',
  };
}
