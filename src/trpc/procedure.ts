/**
 * The kinds of procedures, and how an error becomes an answer. One of the three error renderers: every error that
 * leaves a procedure carries a code of `kit/errors.ts`, a message that is safe to show, and the request id.
 */
import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import * as z from 'zod/mini';
import type { Access } from '#src/accounts/accounts.ts';
import { isAtLeast, type Need, type Reader, type TeamId } from '#src/accounts/contract.ts';
import { AppError, type ErrorCode, errorTable, forbidden, notFound, unauthenticated } from '#src/kit/errors.ts';
import { letEnd } from '#src/kit/let-end.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Context } from './context.ts';
import { readInput } from './read-input.ts';

/** Type of `error.data` on the client. */
export interface ErrorData {
  /** Our error code. */
  appCode: ErrorCode;
  /** The status of this call; the answer's own differs when a batch fails in part. */
  httpStatus: number;
  path?: string | undefined;
  /** The field of the input that is at fault, as a dotted path. */
  field?: string | undefined;
  retryAfterSec?: number | undefined;
  requestId: string;
}

const t = initTRPC.context<Context>().create({
  transformer: { serialize: superjson.serialize, deserialize: readInput },
  isDev: false,
  sse: {
    // Proxies end a silent connection after 30 to 60 s; the client reconnects when two pings in a row are missing.
    ping: { enabled: true, intervalMs: 15_000 },
    client: { reconnectAfterInactivityMs: 35_000 },
  },
  errorFormatter({ shape, error, ctx, path }) {
    const safe = asSafeError(error);
    const data: ErrorData = {
      appCode: safe.code,
      httpStatus: shape.data.httpStatus,
      path,
      field: safe.field,
      retryAfterSec: safe.retryAfterSec,
      requestId: ctx?.requestId ?? '',
    };
    return { ...shape, message: safe.message, data };
  },
});

export const router = t.router;

/** Turns the errors of rooms into tRPC's own, so that status codes are right wherever the call came from. */
const translateErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok || !(result.error.cause instanceof AppError)) return result;
  const { code, message } = result.error.cause;
  throw new TRPCError({ code: errorTable[code].trpc, message, cause: result.error.cause });
});

/** Authorizes a call by the table of rights. A procedure that is missing there is refused to everyone. */
const checkAccess = t.middleware(({ ctx, path, next }) => {
  const need = needOf(ctx, path);
  if (need !== 'anyone' && ctx.reader === null) throw unauthenticated();
  if (need === 'operator' && ctx.reader?.operator !== true) throw forbidden();
  return next();
});

/** A procedure that is about no team: `anyone`, `signedIn` and `operator` of the table are checked here. */
export const publicProcedure = t.procedure.use(translateErrors).use(checkAccess);

/** A procedure of the signed-in user, found in `ctx.reader`. */
export const signedInProcedure = publicProcedure.use(({ ctx, next }) => {
  if (ctx.reader === null) throw unauthenticated();
  return next({ ctx: { reader: ctx.reader } });
});

/** How long a proof of who one is counts as recent. */
const PROOF_MS = 10 * 60_000;

/**
 * Requires recent authentication for sensitive actions. Screens open a dialog (views/kit/ProofDialog.tsx) and retry.
 *
 * @throws AppError `forbidden` with field `proof`
 */
export function requireRecentProof({ deps, provedAt }: Pick<Context, 'deps' | 'provedAt'>): void {
  if (deps.clock.now() - provedAt <= PROOF_MS) return;
  throw new AppError('forbidden', 'Confirm your password to continue.', { field: 'proof' });
}

/** As `signedInProcedure`, with authentication in the last ten minutes. */
export const provenProcedure = signedInProcedure.use(({ ctx, next }) => {
  requireRecentProof(ctx);
  return next();
});

/** A procedure about one team of the signed-in user: `ctx.team` has its number, `ctx.role` theirs in it. */
export const teamProcedure = signedInProcedure
  .input(z.object({ team: z.int() }))
  .use(async ({ ctx, input, path, next }) => {
    const { id, role } = memberOf(ctx, ctx.reader, input.team, 'team', path);
    return next({ ctx: { team: id, role } });
  });

const projectRef = z.object({ project: z.string().check(z.minLength(1), z.maxLength(64)) });

/**
 * A procedure of one project. The single place that resolves a project reference from a request: later
 * code uses `ctx.project` and never the reference. A stream ends when the access to it ends.
 */
export const projectProcedure = signedInProcedure.input(projectRef).use(async ({ ctx, input, path, type, next }) => {
  const found = await projectOf(ctx, input.project);
  if (found === null) throw notFound('project');
  const least = needOf(ctx, path);
  const { id: teamId, role } = memberOf(ctx, ctx.reader, found.project.teamId, 'project', path);
  const result = await next({ ctx: { project: found.project, role } });
  // Later calls of the same request must see the change.
  if (type === 'mutation') projectsByRequest.delete(ctx.client);
  if (type !== 'subscription' || !result.ok) return result;
  const watched = { sid: ctx.sid, userId: ctx.reader.id, teamId, least: least as Role };
  const access = ctx.accounts.access.watch(watched, ctx.signal);
  return { ...result, data: endedBy(result.data as AsyncIterable<unknown>, access) };
});

/** A project as someone reaches it. */
export interface ScopedProject extends Project {
  /** True with access to persons. */
  seesPersons: boolean;
}

/** The project of a reference, if the caller is in its team; looked up once per request however many calls are about it. */
export async function projectOf(
  ctx: Pick<Context, 'projects' | 'reader'> & Partial<Pick<Context, 'client'>>,
  ref: string,
): Promise<{ project: ScopedProject; role: Role } | null> {
  // Each procedure has its own context, but all of a request share `client`.
  const request = ctx.client ?? ctx;
  const known = projectsByRequest.get(request) ?? new Map<string, Promise<Project | null>>();
  projectsByRequest.set(request, known);
  const asked = known.get(ref) ?? ctx.projects.byRef(ref);
  known.set(ref, asked);
  const project = await asked;
  const team = ctx.reader?.teams.find(({ id }) => id === project?.teamId);
  if (project === null || team === undefined) return null;
  return { project: { ...project, seesPersons: isAtLeast(team.role, 'member') }, role: team.role };
}

const projectsByRequest = new WeakMap<object, Map<string, Promise<Project | null>>>();

function needOf(ctx: Context, path: string): Need {
  const need = ctx.access[path];
  if (need === undefined) throw new Error(`${path} has no entry in the permission table (accounts/contract.ts)`);
  return need;
}

/** Their team and role. @throws AppError `not_found` for anyone who is not a member, `forbidden` for a lesser role */
function memberOf(
  ctx: Context,
  reader: Reader,
  teamId: number | null,
  what: string,
  path: string,
): { id: TeamId; role: Role } {
  const need = needOf(ctx, path);
  const team = reader.teams.find(({ id }) => id === teamId);
  if (team === undefined) throw notFound(what);
  if (need === 'anyone' || need === 'signedIn' || need === 'operator') {
    throw new Error(`a procedure on a ${what} needs a role in the permission table`);
  }
  if (!isAtLeast(team.role, need)) {
    ctx.accounts.audit.refused({ teamId: team.id, actor: reader, address: ctx.client.address }, path);
    throw forbidden();
  }
  return team;
}

async function* endedBy<Item>(source: AsyncIterable<Item>, access: Access): AsyncGenerator<Item, void> {
  const signal = access.lost;
  const iterator = source[Symbol.asyncIterator]();
  // One for all steps: a race of each with the same promise would keep something of every step.
  let lose: (() => void) | null = null;
  const onLost = () => lose?.();
  signal.addEventListener('abort', onLost, { once: true });
  try {
    while (!signal.aborted) {
      const step = await new Promise<IteratorResult<Item>>((resolve, reject) => {
        lose = () => reject(unauthenticated());
        iterator.next().then(resolve, reject);
      });
      if (step.done) return;
      if (access.pending !== null) await access.pending;
      if (signal.aborted) throw unauthenticated();
      yield step.value;
    }
  } finally {
    signal.removeEventListener('abort', onLost);
    letEnd(iterator);
  }
}

/** Converts an error of a procedure. Messages of unknown errors are never exposed. */
export function asSafeError(error: TRPCError): AppError {
  const cause = error.cause;
  if (cause instanceof AppError) return cause;
  // Of the input alone. What a procedure itself failed to parse, such as a stored row, is our fault.
  const issue = error.code === 'BAD_REQUEST' ? firstIssue(cause) : null;
  if (issue !== null) {
    const field = issue.path.map(String).join('.');
    return new AppError('invalid', issue.message, field === '' ? {} : { field });
  }
  const code = codeByTrpc.get(error.code);
  if (code === undefined || code === 'internal') return internalError(error);
  return new AppError(code, publicMessages[code] ?? error.message);
}

const codeByTrpc = new Map<string, ErrorCode>([
  ...Object.entries(errorTable).map(([code, { trpc }]) => [trpc, code as ErrorCode] as const),
  ['PARSE_ERROR', 'invalid'],
  ['METHOD_NOT_SUPPORTED', 'invalid'],
  ['UNSUPPORTED_MEDIA_TYPE', 'invalid'],
  ['CLIENT_CLOSED_REQUEST', 'timeout'],
]);

/** tRPC's own messages for these repeat what the client sent, or how a parser works. */
const publicMessages: Partial<Record<ErrorCode, string>> = {
  invalid: 'Invalid request. Reload the page and try again.',
  not_found: 'Unknown procedure.',
};

function internalError(cause: unknown): AppError {
  return new AppError('internal', 'Something went wrong on our side. Try again.', { cause });
}

function firstIssue(cause: unknown): { message: string; path: PropertyKey[] } | null {
  if (!(cause instanceof z.core.$ZodError)) return null;
  return cause.issues[0] ?? null;
}
