/**
 * The browser's files as the build left them: read once at start, served from memory, compressed by the build. Their
 * names hold a hash of their content, so they are kept for ever; files of the release before stay in the folder, for pages
 * that were loaded from it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file in the encodings that the build made. */
export interface AssetFile {
  type: string;
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** What a page loads for a module: itself first, then what it imports. */
export interface Chunk {
  scripts: string[];
  styles: string[];
}

export interface Assets {
  /** By address, such as `/assets/browser-ABC.js`. */
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

/** What is used of esbuild's metafile. */
export interface BuildOutputs {
  outputs: Record<
    string,
    {
      entryPoint?: string | undefined;
      /** Of a style sheet: the source file that it belongs to. */
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
 * Reads the build's output.
 *
 * @param folder with `browser.meta.json`, `service-worker.js` and the folder `assets`
 */
export function readAssets(folder: string): Assets {
  const meta = JSON.parse(readFileSync(join(folder, 'browser.meta.json'), 'utf8')) as BuildOutputs;
  const files = readFiles(join(folder, 'assets'));
  const chunks = chunksOf(meta);
  const integrities = new Map<string, string>();
  return {
    files,
    entry: chunks.get(entrySource) ?? missing(entrySource),
    chunkOf: (source) => chunks.get(source) ?? { scripts: [], styles: [] },
    sheets: sheetsOf(meta),
    integrityOf(address) {
      const known = integrities.get(address);
      const file = files.get(address);
      if (known !== undefined || file === undefined) return known;
      const made = `sha384-${createHash('sha384').update(file.identity).digest('base64')}`;
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

function readFiles(folder: string): Map<string, AssetFile> {
  const files = new Map<string, AssetFile>();
  const names = readdirSync(folder);
  for (const name of names) {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined || name.endsWith('.map')) continue;
    const file: AssetFile = { type, identity: readFileSync(join(folder, name)) };
    for (const [encoding, extension] of [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const) {
      if (names.includes(name + extension)) file[encoding] = readFileSync(join(folder, name + extension));
    }
    files.set(`/assets/${name}`, file);
  }
  return files;
}

function readOptional(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function missing(source: string): never {
  throw new Error(`The build has no ${source}. Run \`npm run build\`.`);
}
