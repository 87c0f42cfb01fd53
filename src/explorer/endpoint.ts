/**
 * `/project/:project/events/export`: files of events, `/persons/export`: of people; for members. A streamed file has no Content-Length:
 * on failure the connection is reset, so that the client detects the incomplete file.
 */
import { Readable } from 'node:stream';
import { type Request, type Response, Router } from 'express';
import { isAtLeast, type Need, type Reader } from '#src/accounts/contract.ts';
import { access } from '#src/accounts/rights/values.ts';
import { operatorNamed } from '#src/columns/filters/operators.ts';
import { within } from '#src/insights/segments/within.ts';
import { AppError, forbidden, invalid, notFound, unauthenticated } from '#src/kit/errors.ts';
import { sendStream, setFileHead } from '#src/kit/send-file.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { type ExportInput, exportInput, type PeopleExportQuery, peopleExportInput } from './contract.ts';
import type { FileNow } from './explorer.ts';
import { fileKind } from './export-file.ts';
import { uncompressed } from './exports.ts';

export interface ExportParts {
  rooms: Pick<Rooms, 'accounts' | 'explorer' | 'insights' | 'projects' | 'limits' | 'deps'>;
  readerOf(req: Request): Reader | null;
}

interface Entered {
  reader: Reader;
  project: Project;
  role: Role;
}

type What = 'explorer.askExport' | 'explorer.askPeopleExport';

export function eventExportRoutes({ rooms, readerOf }: ExportParts): Router {
  const { accounts, explorer, insights, limits, deps } = rooms;
  const routes = Router();

  /** Authorizes the request. @param what the procedure that requires the same access. @throws AppError without access */
  async function enter(req: Request<{ project: string }>, what: What = 'explorer.askExport'): Promise<Entered> {
    const site = req.get('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw forbidden('Invalid request origin. Open this page from Luneta.');
    }
    const reader = readerOf(req);
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects: rooms.projects, reader }, req.params.project);
    if (found === null) throw notFound('project');
    const { project, role } = found;
    if (!isAtLeast(role, access[what] as Exclude<Need, 'anyone' | 'signedIn' | 'operator'> as Role)) {
      const about = { teamId: project.teamId, projectId: project.id, actor: reader, address: req.ip ?? null };
      accounts.audit.refused(about, what);
      throw forbidden();
    }
    return { reader, project, role };
  }

  async function sendNow(
    [req, res]: [Request, Response],
    { reader, project }: Entered,
    { action, format }: { action: 'events.exported' | 'people.exported'; format: string },
    make: (signal: AbortSignal) => Promise<FileNow>,
  ): Promise<void> {
    const giveBack = limits.exporting(project.id);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      const { type, fileName, pieces } = await make(gone.signal);
      // The first piece decides whether there is a file at all.
      const first = await pieces.next();
      await accounts.audit.note(deps.db, {
        actor: reader,
        action,
        details: { format },
        address: req.ip ?? null,
        teamId: project.teamId,
        projectId: project.id,
      });
      setFileHead(res, type, fileName);
      await sendStream(Readable.from(first.done ? [] : continued(first.value, pieces)), res);
    } finally {
      giveBack();
    }
  }

  routes.get('/:project/events/export', async (req, res) => {
    const entered = await enter(req);
    const asked = await within({ insights, ...entered }, readAsked(req));
    const table = entered.reader.tableFormat;
    const noted = { action: 'events.exported', format: fileKind(asked.format, table).extension } as const;
    await sendNow([req, res], entered, noted, (signal) =>
      explorer.exportNow(entered.project, { ...asked, table }, signal),
    );
  });

  routes.get('/:project/persons/export', async (req, res) => {
    const entered = await enter(req, 'explorer.askPeopleExport');
    const asked = readPeople(req);
    const table = entered.reader.tableFormat;
    const noted = { action: 'people.exported', format: fileKind('csv', table).extension } as const;
    await sendNow([req, res], entered, noted, (signal) =>
      explorer.exportPeopleNow(entered.project, { ...asked, table }, signal),
    );
  });

  routes.get('/:project/events/export/:id', async (req, res) => {
    const { reader, project } = await enter(req);
    const id = /^[1-9]\d{0,14}$/.test(req.params.id) ? Number(req.params.id) : 0;
    const giveBack = limits.exporting(project.id);
    try {
      const { type, fileName, bytes, compressed } = await explorer.exports.file(project.id, id);
      await accounts.audit.note(deps.db, {
        actor: reader,
        action: 'events.exported',
        details: { export: id },
        address: req.ip ?? null,
        teamId: project.teamId,
        projectId: project.id,
      });
      setFileHead(res, type, fileName);
      res.vary('Accept-Encoding');
      if (req.acceptsEncodings('gzip') === false) return await sendStream(uncompressed(compressed), res);
      res.set({ 'Content-Encoding': 'gzip', 'Content-Length': String(bytes) });
      await sendStream(Readable.from(compressed), res);
    } finally {
      giveBack();
    }
  });
  return routes;
}

async function* continued<Piece>(first: Piece, rest: AsyncGenerator<Piece, void>): AsyncGenerator<Piece, void> {
  yield first;
  yield* rest;
}

/**
 * Query parameters that may occur once. A repeated or bracketed one is refused: ignoring it would change
 * the content of the file.
 */
function onceOf(query: Request['query']): (name: string) => string | undefined {
  const bracketed = Object.keys(query).find((name) => name.includes('['));
  if (bracketed !== undefined) throw invalid(bracketed, 'Give parameters without brackets.');
  return (name) => {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(name, `Give \`${name}\` once.`);
  };
}

/** From the query string, as the screen's links have it: filters as JSON. */
function readAsked({ query }: Request): Omit<ExportInput, 'project'> {
  const one = onceOf(query);
  const many = (name: string) => [query[name] ?? []].flat();
  const [from, to, filters, segment] = [one('from'), one('to'), one('filters'), one('segment')];
  const people = one('people');
  const read = exportInput.safeParse({
    project: '-',
    range: from === undefined ? one('range') : { from, to },
    names: many('name'),
    columns: many('column'),
    format: one('format') ?? 'csv',
    ...(filters === undefined ? {} : { filters: parsed(filters) }),
    ...(people === undefined ? {} : { people: parsed(people) }),
    ...(segment === undefined ? {} : { segment: Number(segment) }),
  });
  if (read.success) return read.data;
  throw unreadable(read.error.issues);
}

/** Parses the query of the people list's URL. */
function readPeople({ query }: Request): PeopleExportQuery {
  const one = onceOf(query);
  const [search, name, cohort] = [one('search'), one('property'), one('cohort')];
  const [from, to] = [one('from'), one('to')];
  const range = from === undefined ? one('range') : { from, to };
  const read = peopleExportInput.safeParse({
    project: '-',
    ...(search && { search }),
    ...(name && {
      property: { name, operator: operatorNamed(one('condition') ?? 'equals'), value: one('value') ?? '' },
    }),
    everybody: one('who') === 'all',
    sort: one('sort') ?? 'seen',
    columns: [query['column'] ?? []].flat(),
    ...(range && { range }),
    ...(cohort && { cohort: Number(cohort) }),
  });
  if (!read.success) throw unreadable(read.error.issues);
  const { project: _, ...asked } = read.data;
  return asked;
}

function unreadable([issue]: readonly { message: string; path: readonly PropertyKey[] }[]): AppError {
  return new AppError('invalid', issue?.message ?? 'Invalid request. Reload the page and try again.', {
    field: issue?.path.map(String).join('.') ?? '',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('filters', 'Invalid filters: not valid JSON.');
  }
}
