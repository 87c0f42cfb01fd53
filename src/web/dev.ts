/**
 * Live reload for development: reloads the browser's files after each build and notifies open pages. The watching build writes
 * a stamp when it is done (build.mjs). After a restart of the server pages reconnect and reload, too.
 */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { dirname } from 'node:path';
import { type Response, Router } from 'express';
import { type Assets, readAssets } from './assets.ts';

export interface Dev {
  routes: Router;
  assets(): Assets;
  stop(): void;
}

/** @param stamp file that the build writes last */
export function watchBuild(stamp: string): Dev {
  const folder = dirname(stamp);
  const pages = new Set<Response>();
  let assets = readAssets(folder);
  let build = readFileSync(stamp, 'utf8').trim();
  const tell = (page: Response) => page.write(`retry: 100\ndata: ${build}\n\n`);

  watchFile(stamp, { interval: 50 }, () => {
    build = readFileSync(stamp, 'utf8').trim();
    assets = readAssets(folder);
    for (const page of pages) tell(page);
  });

  const routes = Router();
  routes.get('/_dev', (_req, res) => {
    res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    pages.add(res);
    res.once('close', () => pages.delete(res));
    tell(res);
  });
  return {
    routes,
    assets: () => assets,
    stop() {
      unwatchFile(stamp);
      for (const page of pages) page.end();
    },
  };
}
