/**
 * People behind a number of an insight as a file, CSV or XLSX as the reader has chosen:
 * `/project/:project/query/:kind/people.csv?input=…&point=…`, both JSON; for members.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import * as z from 'zod/mini';
import { isAtLeast, type Reader } from '#src/accounts/contract.ts';
import type { InsightKind, QueryInput } from '#src/insights/define.ts';
import * as kinds from '#src/insights/kinds/kinds.ts';
import { within } from '#src/insights/segments/within.ts';
import { forbidden, invalid, notFound, unauthenticated } from '#src/kit/errors.ts';
import { rowId } from '#src/kit/row.ts';
import { dataOf, tableFile } from '#src/kit/table-file.ts';
import { tableExtension, tableType } from '#src/kit/values.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { pointList } from './points/contract.ts';

export interface PointFileParts {
  rooms: Pick<Rooms, 'accounts' | 'insights' | 'profiles' | 'projects' | 'limits' | 'deps'>;
  readerOf(req: Request): Reader | null;
}

type Kind = InsightKind<string, QueryInput, unknown>;

const byName = new Map(Object.values(kinds).map((kind) => [kind.name as string, kind as unknown as Kind]));

const MAX_JSON_LENGTH = 20_000;

export function pointFileRoutes({ rooms, readerOf }: PointFileParts): Router {
  const { accounts, insights, profiles, limits, deps } = rooms;
  const routes = Router();

  routes.get('/:project/query/:kind/people.csv', async (req: Request<{ project: string; kind: string }>, res) => {
    const reader = readerOf(req);
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects: rooms.projects, reader }, req.params.project);
    if (found === null) throw notFound('project');
    const { project, role } = found;
    const about = { actor: reader, address: req.ip ?? null, teamId: project.teamId, projectId: project.id };
    if (!isAtLeast(role, 'member')) {
      accounts.audit.refused(about, `profiles.behind.${req.params.kind}`);
      throw forbidden();
    }
    const kind = byName.get(req.params.kind);
    if (kind?.points === undefined) throw notFound('file');
    const input = read('input', z.extend(kind.input, { segment: z.optional(rowId) }), jsonOf(req, 'input'));
    const { asOf, search, sort, reversed } = read('options', z.object(pointList), jsonOf(req, 'options', '{}'));
    const giveBack = limits.exporting(project.id);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      const query = await within({ insights, project, role, reader }, input as unknown as QueryInput);
      const point = jsonOf(req, 'point');
      const people = await insights.pointPeople(kind, project, query, point, asOf);
      const format = reader.tableFormat;
      const details = { format: tableExtension(format) };
      await accounts.audit.note(deps.db, { ...about, action: 'people.exported', details });
      res.set({
        'Content-Type': tableType(format),
        'Content-Disposition': `attachment; filename="people-${kind.name}.${tableExtension(format)}"`,
        'Cache-Control': 'private, no-store',
      });
      const pieces = profiles.pointFile(people, project.id, { search, sort, reversed }, gone.signal);
      await send(Readable.from(dataOf(tableFile(pieces, format))), res);
    } finally {
      giveBack();
    }
  });
  return routes;
}

/** An error on the way ends the connection: there is no other way left to say so. */
async function send(source: Readable, res: Response): Promise<void> {
  await pipeline(source, res).catch((error: unknown) => {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && name !== 'AbortError') throw error; // else the client hung up
  });
}

/** @throws AppError `invalid` for what is not JSON */
function jsonOf(req: Request, field: string, otherwise?: string): unknown {
  const text = req.query[field] ?? otherwise;
  if (typeof text !== 'string' || text.length > MAX_JSON_LENGTH) throw invalid(field, `Give \`${field}\` as JSON.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(field, `Give \`${field}\` as JSON.`);
  }
}

/** What a schema reads. @throws AppError `invalid` */
function read<Value>(field: string, schema: z.ZodMiniType<Value>, given: unknown): Value {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw invalid(field, `Invalid ${field}.`);
}
