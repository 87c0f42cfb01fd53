/**
 * The browser's files as the build left them: listed at start, read when first asked for, from then on served from memory, compressed by
 * the build. Their names hold a hash of their content, so they are kept for ever; files of the release before stay in the folder, for pages
 * that were loaded from it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notFound } from '#src/kit/errors.ts';

/** One file in the encodings that the build made: those that it has are there, and read when they are looked at. */
export interface AssetFile {
  readonly type: string;
  readonly identity: Buffer;
  readonly br?: Buffer;
  readonly gzip?: Buffer;
}

/** Files of a module: its own first, then its imports. */
export interface Chunk {
  scripts: string[];
  styles: string[];
}

export interface Assets {
  /** By URL path, such as `/assets/browser-ABC.js`. */
  files: ReadonlyMap<string, AssetFile>;
  entry: Chunk;
  /** The chunk of a source file that is imported on demand; empty when it is part of the entry. */
  chunkOf(source: string): Chunk;
  /** Style sheets by the source file that they belong to: the entry, screens, and parts that are loaded later. */
  sheets: ReadonlyMap<string, string>;
  /** `integrity` of a script, for pages to pin what they load. */
  integrityOf(address: string): string | undefined;
  /** The service worker's text; null while developing without one. */
  serviceWorker: string | null;
}

/** The used part of esbuild's metafile. */
export interface BuildOutputs {
  outputs: Record<
    string,
    {
      entryPoint?: string | undefined;
      /** Source file of a style sheet. */
      sheetOf?: string | undefined;
      imports: { path: string; kind: string }[];
    }
  >;
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  map: 'application/json',
  woff2: 'font/woff2',
};

export const entrySource = 'views/browser.tsx';

/**
 * Reads the build's metafile and lists its files.
 *
 * @param folder with `browser.meta.json`, `service-worker.js` and the folder `assets`
 */
export function readAssets(folder: string): Assets {
  const meta = JSON.parse(readFileSync(join(folder, 'browser.meta.json'), 'utf8')) as BuildOutputs;
  const files = listFiles(join(folder, 'assets'));
  const chunks = chunksOf(meta);
  const integrities = new Map<string, string>();
  return {
    files,
    entry: chunks.get(entrySource) ?? missing(entrySource),
    chunkOf: (source) => chunks.get(source) ?? { scripts: [], styles: [] },
    sheets: sheetsOf(meta),
    integrityOf(address) {
      const known = integrities.get(address);
      const path = join(folder, address);
      // A later build may have deleted it.
      if (known !== undefined || !files.has(address) || !existsSync(path)) return known;
      // Not as it is served: that is compressed, and this would stay.
      const made = `sha384-${createHash('sha384').update(readFileSync(path)).digest('base64')}`;
      integrities.set(address, made);
      return made;
    },
    serviceWorker: readOptional(join(folder, 'service-worker.js')),
  };
}

/** Chunks by source file, with everything they import statically. */
export function chunksOf({ outputs }: BuildOutputs): Map<string, Chunk> {
  const sheets = sheetsOf({ outputs });
  const chunks = new Map<string, Chunk>();
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === undefined || !path.endsWith('.js')) continue;
    const sheet = sheets.get(entryPoint);
    chunks.set(entryPoint, {
      scripts: staticImports(outputs, path).map(addressOf),
      styles: sheet === undefined ? [] : [sheet],
    });
  }
  return chunks;
}

function sheetsOf({ outputs }: BuildOutputs): Map<string, string> {
  return new Map(
    Object.entries(outputs).flatMap(([path, { sheetOf }]) =>
      sheetOf === undefined ? [] : [[sheetOf, addressOf(path)]],
    ),
  );
}

function staticImports(outputs: BuildOutputs['outputs'], start: string): string[] {
  const found = new Set([start]);
  for (const path of found) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && imported in outputs) found.add(imported);
    }
  }
  return [...found];
}

/** `dist/assets/browser-ABC.js` is served as `/assets/browser-ABC.js`. */
function addressOf(output: string): string {
  return output.slice(output.indexOf('/assets/'));
}

function listFiles(folder: string): Map<string, AssetFile> {
  const files = new Map<string, AssetFile>();
  const names = new Set(readdirSync(folder));
  for (const name of names) {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined || name.endsWith('.map')) continue;
    const forms = [
      ['identity', name],
      ['br', `${name}.br`],
      ['gzip', `${name}.gz`],
    ] as const;
    const file = { type };
    for (const [form, stored] of forms) {
      if (names.has(stored))
        Object.defineProperty(file, form, { get: reading(join(folder, stored)), enumerable: true });
    }
    files.set(`/assets/${name}`, file as AssetFile);
  }
  return files;
}

/** Reads a file once, for good. @throws AppError `not_found` for one that a later build has taken away */
function reading(path: string): () => Buffer {
  let bytes: Buffer | null = null;
  return () => {
    try {
      bytes ??= readFileSync(path);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? notFound('file') : error;
    }
    return bytes;
  };
}

function readOptional(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function missing(source: string): never {
  throw new Error(`The build has no ${source}. Run \`npm run build\`.`);
}
