/**
 * The addresses that PostHog's command line uploads source maps to, as it calls them: `/api/projects/:project/error_tracking/…`. Its keys are
 * ours, with the scope `source-maps:write`. Not part of the public API: the shapes are PostHog's.
 */
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import * as z from 'zod';
import type { BuildRelease, SymbolSetAsked } from '#src/errors/maps/contract.ts';
import { MAX_RELEASE_METADATA, MAX_SETS_AT_ONCE } from '#src/errors/maps/values.ts';
import { MAX_MAP_BYTES } from '#src/errors/values.ts';
import { AppError, invalid, notFound } from '#src/kit/errors.ts';
import type { Rooms } from '#src/trpc/context.ts';

export interface CliParts {
  symbolSets(): Rooms['errors']['symbolSets'];
  appUrl: string;
  /** Project of the request. @throws AppError for a key without access */
  projectOf(req: Request, res: Response): Promise<number>;
}

const MAX_UPLOAD_BYTES = 2 * MAX_MAP_BYTES;
const id = z.string().regex(/^[\w-]{1,100}$/);

const newRelease = z.object({
  hash_id: z.string().min(1).max(200),
  version: z.string().min(1).max(100),
  project: z.string().max(200),
  metadata: z.unknown().optional(),
});
const setsBody = z.object({
  symbol_sets: z
    .array(
      z.object({
        chunk_id: id,
        release_id: z.guid().nullish(),
        content_hash: z.string().max(200).nullish(),
      }),
    )
    .max(MAX_SETS_AT_ONCE),
  force: z.boolean().default(false),
  skip_on_conflict: z.boolean().default(false),
});
const finishBody = z.object({ content_hashes: z.record(z.guid(), z.string().max(200)) });

export function cliRoutes({ symbolSets, appUrl, projectOf }: CliParts): RequestHandler {
  const routes = Router();
  const json = express.json({ limit: '512kb' });
  const file = express.raw({ type: () => true, limit: MAX_UPLOAD_BYTES + 64_000 });
  /** Refusals in PostHog's shape, which the client reads. */
  const answer =
    (run: (req: Request, res: Response, project: number) => Promise<unknown>): RequestHandler =>
    async (req, res) => {
      try {
        const project = await projectOf(req, res);
        if (req.method === 'POST')
          await new Promise<void>((done, fail) => json(req, res, (error) => (error ? fail(error) : done())));
        res.json(await run(req, res, project));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        const { field = '', message } = error;
        res.status(400).json({ type: 'validation_error', code: `${field}_mismatch`, detail: message, attr: field });
      }
    };
  const under = '/projects/:project/error_tracking';

  routes.get(
    `${under}/releases/hash/:hash`,
    answer(async (req, _res, project) => {
      const release = await symbolSets().releaseByHash(project, String(req.params['hash']).slice(0, 200));
      if (release === null) throw notFound('release');
      return releaseAnswer(release);
    }),
  );
  routes.post(
    `${under}/releases`,
    answer(async (req, _res, project) => {
      const { hash_id: hashId, version, project: name, metadata } = read(newRelease, req.body);
      if (JSON.stringify(metadata ?? null).length > MAX_RELEASE_METADATA) throw invalid('metadata', 'Too long.');
      const release = { hashId, version, name, metadata: (metadata ?? null) as BuildRelease['metadata'] };
      return releaseAnswer(await symbolSets().createRelease(project, release));
    }),
  );
  routes.post(
    `${under}/symbol_sets/bulk_check_upload`,
    answer(async (req, _res, project) => {
      const { sets, options } = readSets(req.body);
      return { chunk_ids_to_upload: await symbolSets().wanted(project, sets, options) };
    }),
  );
  routes.post(
    `${under}/symbol_sets/bulk_start_upload`,
    answer(async (req, _res, project) => {
      const { sets, options } = readSets(req.body);
      const started = await symbolSets().start(project, sets, options);
      const entries = started.map(({ chunk, id: symbolSet, ticket }) => [
        chunk,
        { presigned_url: { url: `${appUrl}/api/symbol-sets/upload`, fields: { ticket } }, symbol_set_id: symbolSet },
      ]);
      return { id_map: Object.fromEntries(entries) };
    }),
  );
  routes.post(
    `${under}/symbol_sets/bulk_finish_upload`,
    answer(async (req, _res, project) => {
      await symbolSets().finish(project, read(finishBody, req.body).content_hashes);
      return { success: true };
    }),
  );
  routes.get(
    `${under}/symbol_sets`,
    answer(async (req, _res, project) => {
      const found = await symbolSets().find(project, String(req.query['ref'] ?? '').slice(0, 100));
      return { results: found === null ? [] : [{ id: found }] };
    }),
  );
  routes.get(
    `${under}/symbol_sets/:set/download`,
    answer(async (req, _res, project) => {
      const ticket = await symbolSets().ticketOf(project, read(z.object({ set: z.guid() }), req.params).set);
      return { url: `${appUrl}/api/symbol-sets/download?${new URLSearchParams({ ticket })}` };
    }),
  );
  // Without a key: the ticket is signed, and for one set.
  routes.post('/symbol-sets/upload', file, async (req, res) => {
    const { ticket, content } = await readForm(req);
    await symbolSets().upload(ticket, content);
    res.status(204).end();
  });
  routes.get('/symbol-sets/download', async (req, res) => {
    const container = await symbolSets().download(String(req.query['ticket'] ?? ''));
    res.set('Cache-Control', 'private, no-store').type('application/octet-stream').send(container);
  });
  return routes;
}

function releaseAnswer({ id: own, hashId, version, name, metadata }: BuildRelease) {
  return { id: own, hash_id: hashId, version, project: name, metadata };
}

function readSets(body: unknown) {
  const { symbol_sets: given, force, skip_on_conflict: skipOnConflict } = read(setsBody, body);
  const byChunk = new Map<string, SymbolSetAsked>(
    given.map(({ chunk_id: chunkId, release_id: releaseId = null, content_hash: contentHash = null }) => [
      chunkId,
      { chunkId, releaseId, contentHash },
    ]),
  );
  return { sets: [...byChunk.values()], options: { force, skipOnConflict } };
}

/** @throws AppError `invalid` */
async function readForm(req: Request): Promise<{ ticket: string; content: Buffer }> {
  const type = req.get('content-type') ?? '';
  if (!Buffer.isBuffer(req.body) || !type.startsWith('multipart/form-data')) throw invalid('file', 'Send a form.');
  try {
    const form = await new globalThis.Response(new Uint8Array(req.body), {
      headers: { 'content-type': type },
    }).formData();
    const [ticket, content] = [form.get('ticket'), form.get('file')];
    if (typeof ticket !== 'string' || content === null || typeof content === 'string') throw new Error('part missing');
    return { ticket, content: Buffer.from(await content.arrayBuffer()) };
  } catch {
    throw invalid('file', 'Send a form with the parts `ticket` and `file`.');
  }
}

function read<Shape extends z.ZodType>(schema: Shape, value: unknown): z.output<Shape> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(issue?.path.join('.') ?? '', issue?.message ?? 'Invalid request.');
}
