/**
 * What the Overview shows, as files: `/project/:project/overview/table.csv`, with the rows and columns that the screen of the same address
 * shows, and of the same question `figures.csv` (the chart), `goals.csv`, `hours.csv` and `vitals.csv`. Names of columns and the way numbers are written are the same in every language.
 */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import type * as z from 'zod/mini';
import { access, isAtLeast, type Need, type Reader } from '#src/accounts/contract.ts';
import {
  type Breakdown,
  breakdownInput,
  goalFiguresInput,
  overviewInput as overviewAsked,
  type ResolvedRange,
} from '#src/insights/contract.ts';
import {
  type Figure,
  figureOf,
  figuresOf,
  hostOf,
  matching,
  type SortColumn,
  sorted,
} from '#src/insights/kinds/breakdown/rows/contract.ts';
import { heatmapInput as hoursAsked } from '#src/insights/kinds/heatmap/contract.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { vitalsInput as vitalsAsked } from '#src/insights/kinds/vitals/contract.ts';
import { within } from '#src/insights/segments/within.ts';
import { csvLine } from '#src/kit/csv.ts';
import { forbidden, invalid, notFound, unauthenticated } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Language, Rooms } from '#src/trpc/context.ts';
import { projectOf, type ReachedProject } from '#src/trpc/procedure.ts';
import { isLeftOut } from '#views/question/filters/left-out.ts';
import { detailsInput, goalsInput, heatmapInput, overviewInput, vitalsInput } from '#views/question/inputs.ts';
import { type Question, readQuestion } from '#views/question/question.ts';
import { valueText } from '#views/question/value-text.ts';
import { drawnCourse } from '#views/screens/insights/drawn-course.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { tableWords } from '#views/words/tables.ts';
import { figureLines, goalLines, hourLines, metricColumn, rounded, vitalLines } from './figure-files.ts';
import type { Sessions } from './session.ts';

export interface TableFileParts {
  rooms: Pick<Rooms, 'insights' | 'projects' | 'limits'>;
  sessions: Pick<Sessions, 'readerOf' | 'sidOf'>;
  languageOf(req: Request): Language;
}

const LEAST = access['insights.query.breakdown'] as Exclude<Need, 'anyone' | 'signedIn' | 'operator'> as Role;

export function tableFileRoutes({ rooms, sessions, languageOf }: TableFileParts): Router {
  const { insights, limits, projects } = rooms;
  const routes = Router();

  async function enter(reader: Reader | null, reference: string) {
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects, reader }, reference);
    if (found === null) throw notFound('project');
    if (!isAtLeast(found.role, LEAST)) throw forbidden();
    return { ...found, reader };
  }

  /** @param ask throws for what is no question */
  async function answer(
    req: Request<{ project: string }>,
    res: Response,
    ask: (asking: Asking, question: Question) => Promise<TableFile>,
  ): Promise<void> {
    const { reader, project, role } = await enter(sessions.readerOf(req), req.params.project);
    const question = readQuestion(new URL(req.originalUrl, 'http://here').searchParams);
    // A screen says that something of its address was left out; a file cannot.
    if (isLeftOut(question)) throw invalid('filters', 'These are not filters.');
    await limits.calls(sessions.sidOf(req), 1);
    const giveBack = limits.heavy(sessions.sidOf(req), 1);
    try {
      const { name, range, lines } = await ask({ insights, project, role, reader }, question);
      res.set({
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}-${range.fromDate}-${range.toDate}.csv"`,
        'Cache-Control': 'private, no-store',
      });
      await pipeline(Readable.from(lines), res).catch((error: unknown) => {
        // Whoever fetched it hung up.
        if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      });
    } finally {
      giveBack();
    }
  }

  routes.get('/:project/overview/table.csv', (req, res) =>
    answer(req, res, async (asking, question) => {
      if (question.details === null || question.details === 'vitals')
        throw invalid('details', 'Say which table: details=page, for instance.');
      const { project } = asking;
      const asked = detailsInput(String(project.id), question, question.details);
      const input = await within(asking, parsed(breakdownInput, asked));
      const range = await insights.range(project, input.range);
      const table = await insights.query(kinds.breakdown, project, { ...input, limit: MOST_LINES });
      return { name: table.dimension, range, lines: tableLines(table, question, languageOf(req)) };
    }),
  );
  routes.get('/:project/overview/figures.csv', (req, res) =>
    answer(req, res, async (asking, question) => {
      const asked = overviewInput(String(asking.project.id), question);
      const data = await insights.query(
        kinds.overview,
        asking.project,
        await within(asking, parsed(overviewAsked, asked)),
      );
      const course = drawnCourse(data, question.metric, en, conversionWords.en);
      return { name: metricColumn(course.metric), range: data.range, lines: figureLines(data, course) };
    }),
  );
  routes.get('/:project/overview/goals.csv', (req, res) =>
    answer(req, res, async (asking, question) => {
      const asked = goalsInput(String(asking.project.id), question);
      const goals = await insights.query(
        kinds.goals,
        asking.project,
        await within(asking, parsed(goalFiguresInput, asked)),
      );
      return { name: 'goals', range: goals.range, lines: goalLines(goals) };
    }),
  );
  routes.get('/:project/overview/hours.csv', (req, res) =>
    answer(req, res, async (asking, question) => {
      const asked = heatmapInput(String(asking.project.id), question);
      const hours = await insights.query(
        kinds.heatmap,
        asking.project,
        await within(asking, parsed(hoursAsked, asked)),
      );
      return { name: 'hours', range: hours.range, lines: hourLines(hours) };
    }),
  );
  routes.get('/:project/overview/vitals.csv', (req, res) =>
    answer(req, res, async (asking, question) => {
      const input = await within(asking, parsed(vitalsAsked, vitalsInput(String(asking.project.id), question)));
      const vitals = await insights.query(kinds.vitals, asking.project, { ...input, limit: MOST_LINES });
      return { name: 'vitals', range: vitals.range, lines: vitalLines(vitals, question) };
    }),
  );
  return routes;
}

interface Asking {
  insights: Rooms['insights'];
  project: ReachedProject;
  role: Role;
  reader: Reader;
}

interface TableFile {
  name: string;
  range: ResolvedRange;
  lines: Iterable<string>;
}

/** The input as its schema reads it, and the segment beside it. */
function parsed<Input>(
  schema: z.ZodMiniType<Input>,
  asked: object & { segment?: number | undefined },
): Input & { segment?: number | undefined } {
  const read = schema.safeParse(asked);
  if (!read.success) throw invalid('filters', 'These are not filters.');
  return { ...read.data, ...(asked.segment !== undefined && { segment: asked.segment }) };
}

/** What `count` counts. */
const counts: Partial<Record<Breakdown['dimension'], string>> = { page: 'views', outbound: 'clicks', event: 'events' };
const figureColumns: Record<Figure, string> = {
  bounceRate: 'bounce_rate',
  exitRate: 'exit_rate',
  timeOnPage: 'time_on_page_seconds',
  scrollDepth: 'scroll_depth',
  duration: 'duration_seconds',
  conversions: 'conversions',
  conversionRate: 'conversion_rate',
  converted: 'converted_visits',
  convertedRate: 'converted_visits_rate',
};

/** About as many rows as a spreadsheet takes; what is beyond is summed up in the last line. */
const MOST_LINES = 1_000_000;

/** A head, the rows in the order of the screen, and what is not among them. @param language of who looks for something */
function* tableLines(table: Breakdown, { find, sort, reversed }: Question, language: Language): Generator<string> {
  const words = language === 'en' ? en : ptBR;
  const reading = { own: tableWords[language], format: formatOf(words), locale: words.writing.locale };
  const textOf = (value: string) => valueText(table.dimension, value, reading);
  const figures = figuresOf(table);
  const compared = table.rows.some(([, , , before]) => before !== null);
  const byHost = table.cols.includes('host');
  const head = [
    ...[table.dimension, ...(byHost ? ['host'] : []), 'visitors', counts[table.dimension] ?? 'visits', 'share'],
    ...figures.map((figure) => figureColumns[figure]),
    ...(compared ? ['previous', 'change'] : []),
  ];
  yield csvLine(head);
  const order = { sort: sort as SortColumn, reversed };
  for (const row of sorted(matching(table.rows, find, table, textOf), order, table, textOf)) {
    const [value, visitors, count, before] = row;
    yield csvLine([
      ...[value, ...(byHost ? [hostOf(table, row) ?? null] : []), visitors, count, rounded(count / table.count)],
      ...figures.map((figure) => rounded(figureOf(table, row, figure).value)),
      ...(compared ? [before, before === null ? null : count - before] : []),
    ]);
  }
  const { other: others } = table;
  if (others.values > 0 && find.trim() === '') {
    const name = `(${others.values} others)`;
    const own = [name, ...(byHost ? [null] : []), null, others.count, rounded(others.count / table.count)];
    yield csvLine([...own, ...Array.from({ length: head.length - own.length }, () => null)]);
  }
}
