/**
 * The kinds of procedures, and how an error becomes an answer. One of the three error renderers: every error that
 * leaves a procedure carries a code of `kit/errors.ts`, a message that is safe to show, and the request id.
 */
import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import * as z from 'zod/mini';
import { AppError, type ErrorCode, errorTable, notFound } from '#src/kit/errors.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Context } from './context.ts';

/** What a client finds in `error.data`. */
export interface ErrorData {
  /** The code of our own vocabulary. */
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

/** What superjson refuses (`__proto__` in its notes, references that go round in circles) is the client's mistake, not ours. */
function readInput(value: Parameters<typeof superjson.deserialize>[0]): unknown {
  try {
    return superjson.deserialize(value);
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}

/** Turns the errors of rooms into tRPC's own, so that status codes are right wherever the call came from. */
const translateErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok || !(result.error.cause instanceof AppError)) return result;
  const { code, message } = result.error.cause;
  throw new TRPCError({ code: errorTable[code].trpc, message, cause: result.error.cause });
});

/** A procedure anyone who reaches the program may call. */
export const publicProcedure = t.procedure.use(translateErrors);

const projectRef = z.object({ project: z.string().check(z.minLength(1), z.maxLength(64)) });

/**
 * A procedure about one project. This is the single place where a reference from a request becomes a project: what comes
 * after it finds the project in `ctx.project` and never looks at the reference again.
 */
export const projectProcedure = publicProcedure.input(projectRef).use(async ({ ctx, input, next }) => {
  const project = await projectOf(ctx, input.project);
  if (project === null) throw notFound('project');
  return next({ ctx: { project } });
});

/** The project of a reference, looked up once per request however many of its calls are about it. */
export function projectOf(ctx: Context, ref: string): Promise<Project | null> {
  const known = projectsByRequest.get(ctx) ?? new Map<string, Promise<Project | null>>();
  projectsByRequest.set(ctx, known);
  const project = known.get(ref) ?? ctx.projects.byRef(ref);
  known.set(ref, project);
  return project;
}

const projectsByRequest = new WeakMap<Context, Map<string, Promise<Project | null>>>();

/** Our own error for whatever a procedure threw. Messages of unknown errors are never passed on. */
export function asSafeError(error: TRPCError): AppError {
  const cause = error.cause;
  if (cause instanceof AppError) return cause;
  const issue = firstIssue(cause);
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
  invalid: 'The request could not be read.',
  not_found: 'There is no such call.',
};

function internalError(cause: unknown): AppError {
  return new AppError('internal', 'Something failed on our side.', { cause });
}

function firstIssue(cause: unknown): { message: string; path: PropertyKey[] } | null {
  if (!(cause instanceof z.core.$ZodError)) return null;
  return cause.issues[0] ?? null;
}
