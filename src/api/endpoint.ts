/**
 * `/api/v1/` and, for the current version, `/api/projects/`: the public API. Authenticated only by a key in
 * `Authorization`: cookies are ignored, and there are no CORS headers.
 */
import compression from 'compression';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type * as z from 'zod';
import { isAtLeast, type Reader } from '#src/accounts/contract.ts';
import { AppError, forbidden, invalid, notFound } from '#src/kit/errors.ts';
import { goneSignal } from '#src/kit/gone.ts';
import { firstIssue } from '#src/kit/issue.ts';
import { isKeyShaped, type PresentedKey } from '#src/projects/api-keys/api-keys.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { ApiFile, sendApiFile } from './api-file.ts';
import { API_VERSION, type ApiProject, type OperationContext } from './operation.ts';
import { operations } from './operations.ts';
import { cliRoutes } from './posthog-cli.ts';

export type ApiRooms = OperationContext['rooms'] & Pick<Rooms, 'apiKeys' | 'projects' | 'limits'>;

type Operation = (typeof operations)[number];

/** To be mounted at `/api`. Passes on what is not its own. */
export function apiRoutes(rooms: ApiRooms): RequestHandler {
  /** A quarter of a megabyte that few servers are asked for. */
  let description: string | null = null;
  const own = Router();
  own.use(compression());
  own.use((_req, res, next) => {
    res.set({ 'Luneta-Version': API_VERSION, 'Cache-Control': 'private, no-store' });
    next();
  });
  own.get('/openapi.json', async (_req, res) => {
    description ??= await writeDescription(rooms.deps.config.PUBLIC_APP_URL);
    res.set('Cache-Control', 'public, max-age=300').type('json').send(description);
  });
  for (const operation of operations) {
    const { method = 'get', path } = operation;
    own[method](path, async (req, res) => {
      const found = await answer(rooms, operation, req, res);
      if (found instanceof ApiFile) await sendApiFile(found, res);
      else res.json(found);
    });
  }
  own.use((req, res, next) => {
    const allowed = methodsOf(req.path);
    if (allowed.length > 0) refuseMethod(res, allowed);
    else next(notFound('address'));
  });

  const routes = Router();
  routes.use(
    cliRoutes({
      symbolSets: () => rooms.errors.symbolSets,
      appUrl: rooms.deps.config.PUBLIC_APP_URL,
      projectOf: (req, res) => uploadTo(rooms, req, res),
    }),
  );
  routes.use(`/v${API_VERSION}`, own);
  routes.use((req, res, next) => (/^\/(projects(\/|$)|openapi\.json$)/.test(req.path) ? own(req, res, next) : next()));
  return routes;
}

async function writeDescription(appUrl: string): Promise<string> {
  const { describeApi } = await import('./description.ts');
  return JSON.stringify(describeApi(appUrl));
}

/** Allowed methods of a path; empty for an unknown one. */
function methodsOf(address: string): string[] {
  const reads = ['GET', 'HEAD'];
  if (address === '/openapi.json') return reads;
  return operations.flatMap(({ path, method }) => {
    const isIt = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(address);
    return isIt ? (method?.toUpperCase() ?? reads) : [];
  });
}

function refuseMethod(res: Response, allowed: readonly string[]): void {
  res
    .set('Allow', allowed.join(', '))
    .status(405)
    .json({
      error: {
        code: 'invalid',
        message: `Method not allowed. Use ${allowed.join(', ')}.`,
        requestId: String(res.getHeader('x-request-id') ?? ''),
      },
    });
}

async function answer(rooms: ApiRooms, operation: Operation, req: Request, res: Response): Promise<unknown> {
  const { key, reader } = await askerOf(rooms, req, res);
  const { scope, alsoNeeds = scope } = operation;
  const missing = [scope, alsoNeeds].find((each) => !key.scopes.includes(each));
  if (missing !== undefined) throw forbidden(`This API key is missing the scope ${missing}.`);
  const params = read(operation.params, req.params);
  const query = read(operation.query, req.query);
  const ref = (params as { project?: string }).project;
  const address = req.ip ?? null;
  const reached = ref === undefined ? null : reachedBy(key, reader, address, await rooms.projects.byRef(ref));
  if (ref !== undefined) {
    if (reached === null) throw notFound('project');
    if (!isAtLeast(reached.role, operation.minRole)) {
      const { team, project } = reached;
      const entry = { teamId: team.id, projectId: project.id, actor: reader, address };
      rooms.accounts.audit.refused(entry, `api.${operation.id}`);
      throw forbidden();
    }
  }
  const body = operation.body === undefined ? {} : read(operation.body, await bodyOf(operation, req, res));
  const file = operation.file === undefined ? Buffer.alloc(0) : await fileOf(req, res, operation.file.maxBytes);
  const projects = async () => {
    const all = await rooms.projects.ofTeams(reader.teams.map(({ id }) => id));
    return all.flatMap((project) => reachedBy(key, reader, address, project) ?? []);
  };
  const giveBack = rooms.limits.heavy(`key ${key.id}`, operation.isHeavy === true ? 1 : 0);
  try {
    const result = await operation.run(
      { rooms, projects },
      { params, query, body, file, gone: goneSignal(res), reached },
    );
    return result instanceof ApiFile ? result : operation.answer.parse(result);
  } finally {
    giveBack();
  }
}

const parsers = { small: express.json({ limit: '16kb' }), large: express.json({ limit: '512kb' }) };

/** Read once the sender is known to be allowed to send it. */
function bodyOf({ bodySize = 'small' }: Operation, req: Request, res: Response): Promise<unknown> {
  return new Promise((resolve, reject) => {
    parsers[bodySize](req, res, (error: unknown) => (error ? reject(error) : resolve(req.body ?? {})));
  });
}

/** A file as it is. @throws AppError `too_large` */
function fileOf(req: Request, res: Response, maxBytes: number): Promise<Buffer> {
  const parseFile = express.raw({ type: () => true, limit: maxBytes });
  return new Promise((resolve, reject) => {
    parseFile(req, res, (error: unknown) =>
      error ? reject(error) : resolve(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)),
    );
  });
}

/** The key of the request, and its owner with the rights they have now. */
async function askerOf(
  { accounts, apiKeys, limits }: ApiRooms,
  req: Request,
  res: Response,
): Promise<{ key: PresentedKey; reader: Reader }> {
  const presented = /^Bearer +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1];
  const key = presented === undefined ? null : await apiKeys.byKey(presented);
  // Attempts to guess keys are counted by network address.
  const rate = await limits.rest(key === null ? `from ${req.ip ?? ''}` : `key ${key.id}`);
  res.set({
    'RateLimit-Limit': String(rate.limit),
    'RateLimit-Remaining': String(rate.remaining),
    'RateLimit-Reset': String(rate.resetSec),
  });
  if (!rate.ok) {
    throw new AppError('rate_limited', `Too many requests. Try again in ${rate.resetSec} s.`, {
      retryAfterSec: rate.resetSec,
    });
  }
  const reader = key && (await accounts.reader(key.userId));
  if (key === null || reader === null) {
    res.set('WWW-Authenticate', 'Bearer');
    throw new AppError('unauthenticated', whyRefused(presented));
  }
  return { key, reader };
}

/** What is wrong with a key that is not known. The same for expired and revoked ones. */
function whyRefused(presented: string | undefined): string {
  if (presented === undefined) return 'Missing API key. Send the header Authorization: Bearer lnk_…';
  if (presented.startsWith('lnt_')) return 'This is a project token. Use a personal API key, which begins with lnk_.';
  if (!isKeyShaped(presented)) return 'Invalid API key. Keys are lnk_ followed by 40 letters and digits.';
  return 'Unknown API key. It may have expired or been revoked.';
}

/** The project of an upload by PostHog's command line. */
async function uploadTo(rooms: ApiRooms, req: Request, res: Response): Promise<number> {
  const { key, reader } = await askerOf(rooms, req, res);
  if (!key.scopes.includes('source-maps:write'))
    throw forbidden('This API key is missing the scope source-maps:write.');
  const project = await rooms.projects.byRef(String(req.params['project']));
  const reached = reachedBy(key, reader, req.ip ?? null, project);
  if (reached === null) throw notFound('project');
  if (!isAtLeast(reached.role, 'member')) throw forbidden();
  return reached.project.id;
}

/** The one place where a key meets a project: both the key and its owner must reach it. */
function reachedBy(
  key: PresentedKey,
  reader: Reader,
  address: string | null,
  project: Project | null,
): ApiProject | null {
  const team = reader.teams.find(({ id }) => id === project?.teamId);
  if (project === null || team === undefined) return null;
  if (key.projects !== null && !key.projects.includes(project.id)) return null;
  const seesPersons = key.scopes.includes('persons:read') && isAtLeast(team.role, 'member');
  const reached = { ...project, seesPersons };
  return { project: reached, team: { id: team.id, name: team.name }, role: team.role, reader, address };
}

function read(schema: z.ZodObject, values: unknown): Record<string, unknown> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const issue = firstIssue(result.error.issues);
  throw invalid(issue?.path.join('.') ?? '', issue?.message ?? 'Invalid request. See “field” for the parameter.');
}
