/**
 * Results of insights as files: `/project/:project/query/:kind.csv?input=…&options=…` (also `.xlsx`), both JSON, as charts: `….svg?input=…&display=…`, and what the Overview shows at the address of its screen, as
 * `/project/:project/overview/table.csv`, which is a CSV or a workbook as the reader has chosen.
 */

import { Readable } from 'node:stream';
import { type Request, type Response, Router } from 'express';
import * as z from 'zod/mini';
import { isAtLeast } from '#src/accounts/contract.ts';
import type { QueryInput } from '#src/insights/define.ts';
import { type DrawAnswer, drawingThemes } from '#src/insights/drawing/contract.ts';
import { kindNamed } from '#src/insights/kinds/all-kinds.ts';
import { within } from '#src/insights/segments/within.ts';
import { forbidden, notFound, unauthenticated } from '#src/kit/errors.ts';
import { goneSignal } from '#src/kit/gone.ts';
import { jsonParameter, readParameter } from '#src/kit/json-parameter.ts';
import { rowId } from '#src/kit/row.ts';
import { sendStream, setFileHead } from '#src/kit/send-file.ts';
import { dataOf, inPieces, tableFile } from '#src/kit/table-file.ts';
import { type TableFormat, tableExtension, tableFormatOf, tableType } from '#src/kit/values.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Language, Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { readOverviewFile, textInTables } from '#views/question/overview-files.ts';
import type { Sessions } from './session.ts';

export interface InsightFileParts {
  rooms: Pick<Rooms, 'insights' | 'projects' | 'limits'>;
  sessions: Pick<Sessions, 'readerOf' | 'sidOf'>;
  languageOf(req: Request): Language;
  draw: DrawAnswer;
}

/** Query of a file, before validation. */
interface FileQuery {
  kind: string;
  input: unknown;
  options: unknown;
}

export function insightFileRoutes({ rooms, sessions, languageOf, draw }: InsightFileParts): Router {
  const { insights, limits, projects } = rooms;
  const routes = Router();

  /** Who asks, and of which project. @throws AppError */
  async function asking(req: Request<{ project: string }>) {
    const reader = sessions.readerOf(req);
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects, reader }, req.params.project);
    if (found === null) throw notFound('project');
    return { reader, ...found };
  }

  /** The kind of a query, for this role. @throws AppError `not_found` for kinds without files, `forbidden` */
  function kindFor(name: string, role: Role) {
    const kind = kindNamed(name);
    if (kind?.csv === undefined) throw notFound('file');
    if (!isAtLeast(role, kind.access)) throw forbidden();
    return { kind, csv: kind.csv };
  }

  /** @param read throws for what cannot be asked */
  async function answer(
    req: Request<{ project: string }>,
    res: Response,
    read: () => FileQuery,
    asked?: 'csv' | 'xlsx',
  ): Promise<void> {
    const { reader, project, role } = await asking(req);
    const given = read();
    const { kind, csv } = kindFor(given.kind, role);
    const options = readParameter('options', csv.options, given.options);
    const input = readParameter('filters', z.extend(kind.input, { segment: z.optional(rowId) }), given.input);
    await limits.calls(sessions.sidOf(req), 1);
    const giveBack = limits.heavy(sessions.sidOf(req), 1);
    try {
      const query: QueryInput = await within({ insights, project, role, reader }, input as unknown as QueryInput);
      const { fromDate, toDate } = await insights.range(project, query.range);
      const result = await insights.query(kind, project, csv.inFull?.(query) ?? query, goneSignal(res));
      const textOf = textInTables(languageOf(req));
      const name = csv.name?.(result, options) ?? kind.name;
      const format = formatFor(asked, reader.tableFormat, languageOf(req));
      setFileHead(res, tableType(format), `${name}-${fromDate}-${toDate}.${tableExtension(format)}`);
      const rows = csv.rows(result, { input: query, options, textOf });
      await sendStream(Readable.from(dataOf(tableFile(inPieces(rows), format))), res);
    } finally {
      giveBack();
    }
  }

  /** The chart of a query, as its screen draws it. */
  async function drawing(req: Request<{ project: string; kind: string }>, res: Response): Promise<void> {
    const { reader, project, role } = await asking(req);
    const { kind } = kindFor(req.params.kind, role);
    const given = jsonParameter('input', req.query['input']);
    const display = jsonParameter('display', req.query['display'] ?? '{}');
    const theme = drawingThemes.find((each) => each === req.query['theme']) ?? 'light';
    const input = readParameter('filters', z.extend(kind.input, { segment: z.optional(rowId) }), given);
    await limits.calls(sessions.sidOf(req), 1);
    const giveBack = limits.heavy(sessions.sidOf(req), 1);
    try {
      const query: QueryInput = await within({ insights, project, role, reader }, input as unknown as QueryInput);
      const { fromDate, toDate } = await insights.range(project, query.range);
      const result = await insights.query(kind, project, query, goneSignal(res));
      const drawn = { project, kind: kind.name, input: query, display, result };
      const svg = await draw(drawn, { language: languageOf(req), theme });
      if (svg === null) throw notFound('file');
      setFileHead(res, 'image/svg+xml', `${kind.name}-${fromDate}-${toDate}.svg`);
      res.end(svg);
    } finally {
      giveBack();
    }
  }

  const fileOf = (asked: 'csv' | 'xlsx') => (req: Request<{ project: string; kind: string }>, res: Response) =>
    answer(
      req,
      res,
      () => ({
        kind: req.params.kind,
        input: jsonParameter('input', req.query['input']),
        options: jsonParameter('options', req.query['options'] ?? '{}'),
      }),
      asked,
    );
  routes.get('/:project/query/:kind.csv', fileOf('csv'));
  routes.get('/:project/query/:kind.xlsx', fileOf('xlsx'));
  routes.get('/:project/query/:kind.svg', drawing);
  routes.get('/:project/overview/:file.csv', (req: Request<{ project: string; file: string }>, res) =>
    answer(req, res, () => readOverviewFile(req.params.file, new URL(req.originalUrl, 'http://here').searchParams)),
  );
  return routes;
}

/** @param asked absent: as the reader has chosen */
function formatFor(asked: 'csv' | 'xlsx' | undefined, chosen: TableFormat, language: Language): TableFormat {
  if (asked === 'xlsx' || asked === undefined) return asked ?? chosen;
  return chosen === 'xlsx' ? tableFormatOf(null, language) : chosen;
}
