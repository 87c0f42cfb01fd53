/** `/api/exports/`: the file of an export, for its requester, made while it is sent. */
import { Readable } from 'node:stream';
import { type Request, Router } from 'express';
import { isAtLeast, type Need, type Reader } from '#src/accounts/contract.ts';
import { access } from '#src/accounts/rights/values.ts';
import { forbidden, notFound, unauthenticated } from '#src/kit/errors.ts';
import { sendStream, setFileHead } from '#src/kit/send-file.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { type ExportFormat, exportFormats } from './contract.ts';

export interface ExportParts {
  rooms: Pick<Rooms, 'accounts' | 'privacy' | 'projects' | 'limits'>;
  readerOf(req: Request): Reader | null;
}

/** The right to fetch an export is the right to ask for one, checked again. */
const NEED = access['privacy.export'] as Need;

export function exportRoutes({ rooms, readerOf }: ExportParts): Router {
  const routes = Router();
  routes.get('/:project/:id', async (req, res) => {
    const reader = readerOf(req);
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects: rooms.projects, reader }, req.params.project);
    if (found === null) throw notFound('project');
    if (NEED === 'anyone' || NEED === 'signedIn' || NEED === 'operator' || !isAtLeast(found.role, NEED)) {
      const { id: projectId, teamId } = found.project;
      rooms.accounts.audit.refused({ teamId, projectId, actor: reader, address: req.ip ?? null }, 'privacy.export');
      throw forbidden();
    }
    const id = /^[1-9]\d{0,14}$/.test(req.params.id) ? Number(req.params.id) : 0;
    const giveBack = rooms.limits.exporting(found.project.id);
    try {
      const format = formatOf(req.query['format']);
      const asked = { projectId: found.project.id, id, by: reader.id, format, table: reader.tableFormat };
      const { type, fileName, pieces } = await rooms.privacy.file(asked);
      setFileHead(res, type, fileName);
      await sendStream(Readable.from(pieces), res);
    } finally {
      giveBack();
    }
  });
  return routes;
}

function formatOf(asked: unknown): ExportFormat {
  return exportFormats.find((format) => format === asked) ?? 'ndjson';
}
