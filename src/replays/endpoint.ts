/**
 * Blocks of a recording as NDJSON (`/project/:project/replay/:session/blocks?from=SEQ&to=SEQ`), and the empty page that recordings are drawn
 * in (`/replay-stage`). What a recording holds comes from strangers, so the page runs no scripts and loads nothing; with `?images=1` it loads
 * pictures, styles and fonts of the recorded site.
 */
import { Readable } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import * as z from 'zod/mini';
import type { Reader } from '#src/accounts/contract.ts';
import { notFound, unauthenticated } from '#src/kit/errors.ts';
import { readParameter } from '#src/kit/json-parameter.ts';
import { sendStream } from '#src/kit/send-file.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { requireWatching } from './watching/router.ts';

export interface ReplayRouteParts {
  rooms: Pick<Rooms, 'accounts' | 'projects' | 'replays'>;
  readerOf(req: Request): Reader | null;
}

const seq = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2_147_483_647));

export function replayRoutes({ rooms, readerOf }: ReplayRouteParts): Router {
  const { accounts, projects, replays } = rooms;
  const routes = Router();

  routes.get('/replay-stage', (req, res) => {
    res.setHeader('Content-Security-Policy', stagePolicy(req.query['images'] === '1'));
    res.setHeader('X-Frame-Options', 'SAMEORIGIN');
    res.setHeader('Referrer-Policy', 'no-referrer');
    res.setHeader('Cache-Control', 'private, max-age=300');
    res.type('html').send(stage);
  });

  routes.get(
    '/project/:project/replay/:session/blocks',
    async (req: Request<{ project: string; session: string }>, res) => {
      const reader = readerOf(req);
      if (reader === null) throw unauthenticated();
      const found = await projectOf({ projects, reader }, req.params.project);
      if (found === null) throw notFound('project');
      const { project, role } = found;
      requireWatching({ accounts, project, role, reader, client: { address: req.ip ?? null } }, 'replays.blocks');
      const session = readParameter('session', z.guid(), req.params.session);
      const from = readParameter('from', seq, req.query['from']);
      const to = readParameter('to', seq, req.query['to']);
      const blocks = replays.readBlocks(project.id, session, from, to)[Symbol.asyncIterator]();
      // A session that is unknown is said before the first byte.
      const first = await blocks.next();
      res.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
      res.setHeader('Cache-Control', 'private, no-store');
      await sendCompressed(Readable.from(inOrder(first, blocks)), req, res);
    },
  );
  return routes;
}

async function* inOrder(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/** Each block is sent as soon as it is read. */
async function sendCompressed(source: Readable, req: Request, res: Response): Promise<void> {
  const encoding = req.acceptsEncodings('zstd', 'gzip');
  res.setHeader('Vary', 'Accept-Encoding');
  if (encoding === false) return sendStream(source, res);
  res.setHeader('Content-Encoding', encoding);
  const zip =
    encoding === 'zstd'
      ? createZstdCompress({ flush: constants.ZSTD_e_flush, params: { [constants.ZSTD_c_compressionLevel]: 3 } })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 });
  source.once('error', (error) => zip.destroy(error));
  zip.once('close', () => source.destroy());
  await sendStream(source.pipe(zip), res);
}

/** Styles of recorded pages are in their markup. Nothing else is allowed, least of all scripts. */
function stagePolicy(loadsImages: boolean): string {
  const site = loadsImages ? ' https: http:' : '';
  return [
    "default-src 'none'",
    "object-src 'none'",
    `style-src 'unsafe-inline'${site}`,
    `img-src data: blob:${site}`,
    `font-src data:${site}`,
    `media-src data: blob:${site}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ');
}

const stage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Recording</title>
<style>
html, body { height: 100%; margin: 0; overflow: hidden; }
.replayer-wrapper { position: absolute; top: 0; left: 0; transform-origin: 0 0; background: #fff; }
.replayer-wrapper iframe { border: 0; }
.replayer-mouse { position: absolute; width: 20px; height: 20px; margin: -2px 0 0 -2px; z-index: 2; transition: left 50ms linear, top 50ms linear; border-color: #c08a22; background: no-repeat 0 0 / 20px url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Cpath d='M2 2l6 15 2.4-6.2L17 8.500z' fill='%230f1c2e' stroke='%23fff' stroke-width='1.500'/%3E%3C/svg%3E"); }
.replayer-mouse::after { content: ""; position: absolute; left: -12px; top: -12px; width: 28px; height: 28px; border-radius: 50%; box-sizing: border-box; opacity: 0; }
.replayer-mouse.active::after { animation: press 300ms ease-out; }
.replayer-mouse.touch-device { background: none; width: 26px; height: 26px; margin: -13px 0 0 -13px; box-sizing: border-box; border: 2px solid #c08a22; border-radius: 50%; opacity: 0; transition: opacity 100ms; }
.replayer-mouse.touch-device.touch-active { opacity: 1; }
.replayer-mouse.touch-device::after { display: none; }
.replayer-mouse-tail { position: absolute; pointer-events: none; z-index: 1; }
@keyframes press { from { opacity: 1; border: 2px solid #c08a22; background: rgb(192 138 34 / 0.3); transform: scale(0.4); } to { opacity: 0; border: 2px solid #c08a22; transform: scale(1.2); } }
</style>
</head>
<body><div id="stage"></div></body>
</html>
`;
