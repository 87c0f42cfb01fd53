/** Operations of saved insights. */
import * as z from 'zod';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { insightChange, insightInput, MAX_PAGE } from '#src/insights/saved/contract.ts';
import { savedKinds } from '#src/insights/saved/values.ts';
import { invalid } from '#src/kit/errors.ts';
import { answerWithCaveats, withCaveats } from './caveats.ts';
import { fileOfAnswer, fileParameters, isFileAsked, typesOf } from './file-answer.ts';
import { Insight, InsightPatch, Insights, insightPath, insightsQuery, NewInsight } from './insight-schemas.ts';
import { aboutProject, noted, type Operation } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

const resultsByKind = Object.values(kinds as unknown as Record<string, { name: string; result: z.ZodObject }>)
  .filter(({ name }) => savedKinds.some((kind) => kind === name))
  .map(({ name, result }) => answerWithCaveats(result).extend({ kind: z.literal(name) }));
type KindResult = (typeof resultsByKind)[number];

const InsightResult = z
  .object({
    insight: Insight,
    result: z.discriminatedUnion('kind', resultsByKind as [KindResult, ...KindResult[]]).meta({
      description: 'As `POST /projects/:project/query/{kind}` answers, with the kind.',
    }),
  })
  .meta({ id: 'InsightResult' });

/** Every kind that can be saved has them. */
const savedFormats = ['csv', 'xlsx', 'svg'] as const;

export const insightOperations: readonly Operation[] = [
  aboutProject({
    id: 'listInsights',
    path: '/projects/:project/insights',
    summary: 'List saved insights: favorites first, then those viewed last',
    scope: 'query:read',
    minRole: 'viewer',
    params: schemas.projectPath,
    query: insightsQuery,
    answer: Insights,
    async run({ insights }, reached, { query: { archived, limit, groupType: type, groupKey: key, ...query } }) {
      if ((type === undefined) !== (key === undefined))
        throw invalid('groupKey', 'Give groupType and groupKey together.');
      const group = type !== undefined && key !== undefined ? { group: { type, key } } : {};
      const asked = { ...query, ...group, archived: archived === 'true', limit: Math.min(limit, MAX_PAGE) };
      const { items, total } = await insights.saved.list(reached, asked);
      return { insights: items, total };
    },
  }),
  aboutProject({
    id: 'createInsight',
    method: 'post',
    path: '/projects/:project/insights',
    summary: 'Save an insight for the team',
    scope: 'insights:write',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    body: NewInsight,
    bodySize: 'large',
    answer: Insight,
    run: (rooms, reached, { body }) =>
      rooms.insights.saved.create(reached, readInput(insightInput, body), noted(rooms, reached, 'insight.created')),
  }),
  aboutProject({
    id: 'getInsight',
    path: '/projects/:project/insights/:insight',
    summary: 'Get a saved insight with its query',
    scope: 'query:read',
    minRole: 'viewer',
    params: insightPath,
    query: schemas.nothing,
    answer: Insight,
    run: ({ insights }, reached, { params }) => insights.saved.get(reached, params.insight),
  }),
  aboutProject({
    id: 'getInsightResult',
    path: '/projects/:project/insights/:insight/result',
    isHeavy: true,
    summary: 'Run a saved insight: as JSON, as a table (CSV, XLSX), or as its chart (SVG)',
    scope: 'query:read',
    minRole: 'viewer',
    params: insightPath,
    query: z.strictObject(fileParameters(savedFormats)),
    files: typesOf(savedFormats),
    answer: InsightResult,
    async run({ insights, collect, draw }, reached, { params, query }) {
      const { insight, kind, input, result } = await insights.saved.result(reached, params.insight);
      if (isFileAsked(query)) {
        const { display, name } = insight;
        return fileOfAnswer({ draw }, reached, { kind, input, result, display, name }, query);
      }
      const named = { events: kind.events?.(input) ?? [], people: input.people, goal: input.goal };
      const [unknown, waiting] = await Promise.all([
        insights.unknownEvents(reached.project, named),
        collect?.waiting() ?? 0,
      ]);
      return { insight, result: { ...withCaveats(result as object, unknown, waiting), kind: insight.kind } };
    },
  }),
  aboutProject({
    id: 'updateInsight',
    method: 'patch',
    path: '/projects/:project/insights/:insight',
    summary: 'Change a saved insight, or take it out of the archive',
    scope: 'insights:write',
    minRole: 'member',
    params: insightPath,
    query: schemas.nothing,
    body: InsightPatch,
    bodySize: 'large',
    answer: Insight,
    async run(rooms, reached, { params: { insight }, body: { archived, ...body } }) {
      const { saved } = rooms.insights;
      const change = readInput(insightChange, body);
      if (archived === false) await saved.restore(reached, insight, noted(rooms, reached, 'insight.restored'));
      return saved.update(reached, insight, change, noted(rooms, reached, 'insight.changed'));
    },
  }),
  aboutProject({
    id: 'archiveInsight',
    method: 'delete',
    path: '/projects/:project/insights/:insight',
    summary: 'Archive a saved insight and return it',
    scope: 'insights:write',
    minRole: 'member',
    params: insightPath,
    query: schemas.nothing,
    answer: Insight,
    run: (rooms, reached, { params }) =>
      rooms.insights.saved.archive(reached, params.insight, noted(rooms, reached, 'insight.archived')),
  }),
];
