/**
 * People behind a number of an insight as a file, CSV or XLSX as the reader has chosen:
 * `/project/:project/query/:kind/people.csv?input=…&point=…`, both JSON; for members.
 */
import { Readable } from 'node:stream';
import { type Request, Router } from 'express';
import * as z from 'zod/mini';
import { isAtLeast, type Reader } from '#src/accounts/contract.ts';
import type { QueryInput } from '#src/insights/define.ts';
import { kindNamed } from '#src/insights/kinds/all-kinds.ts';
import { within } from '#src/insights/segments/within.ts';
import { forbidden, notFound, unauthenticated } from '#src/kit/errors.ts';
import { jsonParameter, readParameter } from '#src/kit/json-parameter.ts';
import { rowId } from '#src/kit/row.ts';
import { sendStream, setFileHead } from '#src/kit/send-file.ts';
import { dataOf, tableFile } from '#src/kit/table-file.ts';
import { tableExtension, tableType } from '#src/kit/values.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { pointList } from './points/contract.ts';

export interface PointFileParts {
  rooms: Pick<Rooms, 'accounts' | 'insights' | 'profiles' | 'projects' | 'limits' | 'deps'>;
  readerOf(req: Request): Reader | null;
}

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
    const giveBack = limits.exporting(project.id);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      const query = await within({ insights, project, role, reader }, input as unknown as QueryInput);
      const point = jsonParameter('point', req.query['point']);
      const people = await insights.pointPeople(kind, project, query, point, asOf);
      const format = reader.tableFormat;
      const details = { format: tableExtension(format) };
      await accounts.audit.note(deps.db, { ...about, action: 'people.exported', details });
      setFileHead(res, tableType(format), `people-${kind.name}.${tableExtension(format)}`);
      const pieces = profiles.pointFile(people, project.id, { search, sort, reversed }, gone.signal);
      await sendStream(Readable.from(dataOf(tableFile(pieces, format))), res);
    } finally {
      giveBack();
    }
  });
  return routes;
}
