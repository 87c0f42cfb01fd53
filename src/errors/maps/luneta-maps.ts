/**
 * Uploads the source maps of a build: one file that needs nothing but Node, served by the installation at `/static/luneta-maps.mjs`.
 *
 *   node luneta-maps.mjs dist --release 1.4.2
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const usage = `Uploads the source maps of a folder to Luneta.

  node luneta-maps.mjs FOLDER [options]

  --url URL           address of Luneta; or LUNETA_URL
  --project ID        ID of the project; or LUNETA_PROJECT
  --release VERSION   the release that your errors name; absent: any
  --commit SHA        the commit of the release
  --delete            deletes each map after its upload

The API key with the scope source-maps:write is read from LUNETA_API_KEY.
`;

interface Target {
  url: string;
  project: string;
  key: string;
  release: string | undefined;
  commit: string | undefined;
}

const AT_ONCE = 3;
const TRIES = 4;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      project: { type: 'string' },
      release: { type: 'string' },
      commit: { type: 'string' },
      delete: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  const { LUNETA_URL, LUNETA_PROJECT, LUNETA_API_KEY: key } = process.env;
  const url = values.url ?? LUNETA_URL;
  const project = values.project ?? LUNETA_PROJECT;
  if (values.help || folder === undefined || url === undefined || project === undefined || key === undefined) {
    process.stdout.write(usage);
    return values.help ? 0 : 2;
  }
  const { release, commit } = values;
  const target: Target = { url: url.replace(/\/+$/, ''), project, key, release, commit };
  const maps = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?js\.map$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (maps.length === 0) {
    process.stderr.write(`No source maps in ${folder}. Does your build write them?\n`);
    return 1;
  }
  let failed = 0;
  const waiting = [...maps];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let map = waiting.shift(); map !== undefined; map = waiting.shift()) {
        const file = relative(folder, map)
          .split(sep)
          .join('/')
          .replace(/\.map$/, '');
        const problem = await upload(target, map, file);
        if (problem === null) {
          process.stdout.write(`${file}\n`);
          if (values.delete) await rm(map);
        } else {
          failed += 1;
          process.stderr.write(`${file}: ${problem}\n`);
        }
      }
    }),
  );
  process.stdout.write(`${maps.length - failed} of ${maps.length} source maps uploaded.\n`);
  return failed === 0 ? 0 : 1;
}

/** @returns why it was not uploaded; null: it was */
async function upload(
  { url, project, key, release, commit }: Target,
  map: string,
  file: string,
): Promise<string | null> {
  const debugId = await debugIdOf(map.replace(/\.map$/, ''));
  const query = new URLSearchParams({
    file,
    ...(release !== undefined && { release }),
    ...(commit !== undefined && release !== undefined && { commit }),
    ...(debugId !== null && { debugId }),
  });
  const address = `${url}/api/v1/projects/${encodeURIComponent(project)}/source-maps?${query}`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = await readFile(map);
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(address, { method: 'POST', headers, body });
      if (response.ok) return null;
      const isLater = response.status === 429 || response.status >= 500;
      if (!isLater || tries === TRIES) return `${response.status} ${await reasonOf(response)}`;
      await wait(Math.min(60, Number(response.headers.get('retry-after')) || 2 ** tries) * 1_000);
    } catch (error) {
      if (tries === TRIES) return `${(error as Error).message}: ${String((error as Error).cause ?? '')}`;
      await wait(2 ** tries * 1_000);
    }
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return text.slice(0, 200);
  }
}

/** The debug ID or chunk ID that a bundler wrote into the script; null: none. */
async function debugIdOf(script: string): Promise<string | null> {
  try {
    const text = await readFile(script, 'utf8');
    return /\/\/# (?:debugId|chunkId)=([\w-]{8,64})\s*$/m.exec(text.slice(-2_000))?.[1] ?? null;
  } catch {
    return null;
  }
}

process.exitCode = await main();
