/**
 * Lists as files, CSV or XLSX as the reader has chosen; for members. People or groups behind a number of an insight:
 * `/project/:project/query/:kind/people.csv?input=…&point=…`, both JSON. Groups of a type: `/project/:project/groups/export?type=0`.
 */
import { Readable } from 'node:stream';
import { type Request, type Response, Router } from 'express';
import * as z from 'zod/mini';
import { isAtLeast, type Reader } from '#src/accounts/contract.ts';
import type { QueryInput } from '#src/insights/define.ts';
import { kindNamed } from '#src/insights/kinds/all-kinds.ts';
import { within } from '#src/insights/segments/within.ts';
import { forbidden, notFound, unauthenticated } from '#src/kit/errors.ts';
import { jsonParameter, readParameter } from '#src/kit/json-parameter.ts';
import { rowId } from '#src/kit/row.ts';
import { sendStream, setFileHead } from '#src/kit/send-file.ts';
import { dataOf, type TablePiece, tableFile } from '#src/kit/table-file.ts';
import { tableExtension, tableType } from '#src/kit/values.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { groupList, groupType } from './groups/contract.ts';
import { pointList } from './points/contract.ts';

export interface PointFileParts {
  rooms: Pick<Rooms, 'accounts' | 'insights' | 'profiles' | 'projects' | 'limits' | 'deps'>;
  readerOf(req: Request): Reader | null;
}

export function pointFileRoutes({ rooms, readerOf }: PointFileParts): Router {
  const { accounts, insights, profiles, limits, deps } = rooms;
  const routes = Router();

  /** @param what the procedure that requires the same access. @throws AppError without access */
  async function enter(req: Request<{ project: string }>, what: string) {
    const reader = readerOf(req);
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects: rooms.projects, reader }, req.params.project);
    if (found === null) throw notFound('project');
    const { project, role } = found;
    const about = { actor: reader, address: req.ip ?? null, teamId: project.teamId, projectId: project.id };
    if (!isAtLeast(role, 'member')) {
      accounts.audit.refused(about, what);
      throw forbidden();
    }
    return { reader, project, role, about };
  }

  /** Sends a table, once what it is made of is known. */
  async function sendTable(
    res: Response,
    { reader, project, about }: Awaited<ReturnType<typeof enter>>,
    name: string,
    make: (signal: AbortSignal) => Promise<AsyncGenerator<TablePiece, void>>,
  ): Promise<void> {
    const giveBack = limits.exporting(project.id);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      const pieces = await make(gone.signal);
      const format = reader.tableFormat;
      const details = { format: tableExtension(format) };
      await accounts.audit.note(deps.db, { ...about, action: 'people.exported', details });
      setFileHead(res, tableType(format), `${name}.${tableExtension(format)}`);
      await sendStream(Readable.from(dataOf(tableFile(pieces, format))), res);
    } finally {
      giveBack();
    }
  }

  routes.get('/:project/query/:kind/people.csv', async (req: Request<{ project: string; kind: string }>, res) => {
    const entered = await enter(req, `profiles.behind.${req.params.kind}`);
    const { reader, project, role } = entered;
    const kind = kindNamed(req.params.kind);
    if (kind?.points === undefined) throw notFound('file');
    const input = readParameter(
      'input',
      z.extend(kind.input, { segment: z.optional(rowId) }),
      jsonParameter('input', req.query['input']),
    );
    const { asOf, search, sort, reversed } = readParameter(
      'options',
      z.object(pointList),
      jsonParameter('options', req.query['options'] ?? '{}'),
    );
    await sendTable(res, entered, `people-${kind.name}`, async (signal) => {
      const query = await within({ insights, project, role, reader }, input as unknown as QueryInput);
      const point = jsonParameter('point', req.query['point']);
      const people = await insights.behindPoint(kind, project, query, point, asOf, signal);
      return profiles.pointFile(people, project.id, { search, sort, reversed }, signal);
    });
  });

  routes.get('/:project/groups/export', async (req: Request<{ project: string }>, res) => {
    const entered = await enter(req, 'profiles.groups.list');
    const { type = '', search, sort, column } = req.query;
    const asked = readParameter('query', z.object({ type: groupType, ...groupList }), {
      type: Number(type),
      search: search === '' ? undefined : search,
      sort,
      columns: column === undefined ? [] : [column].flat(),
    });
    await sendTable(res, entered, 'groups', (signal) => profiles.groups.file(entered.project.id, asked, signal));
  });
  return routes;
}
