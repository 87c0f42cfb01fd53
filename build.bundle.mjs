/**
 * What a build leaves in its folder (`dist/`): `main.js`, `launch.js`, `screens.js` (the thread that draws), `thread.js` (the columns' threads) and their chunks (server); `assets/` (browser, named by content,
 * with .br and .gz); `browser.meta.json` and `server.meta.json` (esbuild's metafiles: which chunk imports which, which style sheet
 * belongs to it); `service-worker.js`; `component.js` (the small script of the web-analytics component); `maps/` (source maps, never
 * served); `stamp`, written last.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import * as esbuild from 'esbuild';
import { areas, sourceOf } from './build.areas.mjs';
import { fingerprintOf, stampOf } from './build.fresh.mjs';
import { browsers, createStyles } from './build.styles.mjs';

/** Packages that import React are in the server's bundle with the one copy of it; all others but the next stay in node_modules. */
const reactFamily = [
  ...['react', 'react-dom', '@tanstack/react-query', '@trpc/tanstack-react-query', '@vercel/analytics'],
  ...['@dnd-kit/core', '@dnd-kit/sortable', 'markdown-to-jsx'],
];
/** Their files as they are hold some sixty languages of messages, of which the server uses one. */
const zodFamily = ['zod', 'zod-openapi'];

/** Files of src that the browser may hold: contracts, plain values, the table of operators, the pure kit; and tools that are served. */
const sharedWithBrowser =
  /^src\/(.+\/(contract|values)\.ts|columns\/filters\/operators\.ts|errors\/maps\/luneta-maps\.ts|kit\/(errors|json|line|name|place|range|row)\.ts)$/;

const entries = {
  server: [
    'src/main.ts',
    'src/worker.ts',
    'src/launch.ts',
    'src/screens.ts',
    'src/columns/threads/thread.ts',
    'src/errors/maps/map-thread.ts',
    'src/collect/recordings/recording-thread.ts',
    'src/replays/packing/pack-thread.ts',
  ],
  browser: ['views/browser.tsx'],
  scripts: ['views/service-worker.ts', 'views/component.ts'],
  tools: ['src/errors/maps/luneta-maps.ts'],
};

/** Where the server is in the list of `optionsOf`. */
const SERVER = 1;

/**
 * A bundler that keeps what it parsed for the next time.
 *
 * @param {{ root: string, out: string, production: boolean, say?: (line: string) => void }} options `out` is relative to `root`; `say` is
 *   called with what is done
 */
export async function createBundler({ root, out, production, say = () => undefined }) {
  const folder = join(root, out);
  const assets = join(folder, 'assets');
  const maps = join(folder, 'maps');
  const styles = createStyles(esbuild, root, production);
  const contexts = await Promise.all(optionsOf({ root, out, production }, styles.plugin).map(esbuild.context));
  /** The newest result of each context; none after a failure. */
  const results = [];
  let lastServer = '';

  /** Builds again what a change touches. */
  async function refresh(index, changed) {
    const known = results[index];
    if (changed && known && !changed.some((path) => path in known.metafile.inputs)) return known;
    results[index] = undefined;
    results[index] = await contexts[index].rebuild();
    return results[index];
  }

  /** True when it is another than the last one. */
  async function buildServer(changed) {
    const { outputFiles, metafile } = await refresh(SERVER, changed);
    const hash = outputFiles.map((file) => file.hash).join();
    if (hash === lastServer) return false;
    const previous = await readMetafile(folder, 'server');
    for (const { path, contents } of outputFiles) await replaceFile(path, contents);
    await removeOldReleases([join(folder, 'chunks')], previous?.outputs ?? {}, metafile.outputs);
    await replaceFile(join(folder, 'server.meta.json'), JSON.stringify(metafile));
    lastServer = hash;
    say('  The server is bundled.');
    return true;
  }

  async function buildBrowser(changed) {
    const [pages, ...scripts] = await Promise.all(
      [...contexts.keys()].filter((index) => index !== SERVER).map((index) => refresh(index, changed)),
    );
    for (const { metafile } of [pages, ...scripts]) refuseIntruders(metafile);
    say('  The pages are bundled. Compressing their files.');
    const metafile = await writePages(pages);
    for (const { path, contents } of scripts.flatMap(({ outputFiles }) => outputFiles)) {
      await replaceFile(path.endsWith('.map') ? join(maps, basename(path)) : path, contents);
    }
    await replaceFile(join(folder, 'browser.meta.json'), JSON.stringify(metafile));
  }

  async function writePages({ outputFiles, metafile }) {
    const previous = await readMetafile(folder, 'browser');
    const outputs = Object.fromEntries(
      Object.entries(metafile.outputs).map(([path, { entryPoint, ...output }]) => [
        path,
        entryPoint === undefined ? output : { ...output, entryPoint: sourceOf(entryPoint) },
      ]),
    );
    for (const { path, contents } of outputFiles) {
      const isMap = path.endsWith('.map');
      await writeAsset(join(isMap && production ? maps : assets, basename(path)), contents, production && !isMap);
    }
    for (const [source, { name, contents }] of await styles.sheetsOf(metafile)) {
      const path = join(assets, name);
      await writeAsset(path, contents, production);
      const cssBundle = relative(root, path);
      outputs[cssBundle] = { imports: [], exports: [], inputs: {}, bytes: contents.length, sheetOf: source };
    }
    await removeOldReleases([assets, maps], previous?.outputs ?? {}, outputs);
    return { inputs: metafile.inputs, outputs };
  }

  return {
    /**
     * Builds; a failure leaves what was there.
     *
     * @param {string[]} [changed] files that changed since the last time, relative to the root; without it everything is built
     * @param {() => Promise<void>} [onServer] called as soon as the server's part is another, while the pages are still bundled
     */
    async build(changed, onServer = async () => undefined) {
      const fingerprint = production ? await fingerprintOf(root) : '';
      for (const name of [assets, maps, join(folder, 'chunks')]) await mkdir(name, { recursive: true });
      const server = buildServer(changed);
      const served = server.then((isOther) => isOther && onServer());
      served.catch(() => undefined); // seen below, or by the line before it
      if (!production) await server;
      await Promise.all([served, buildBrowser(changed)]);
      await replaceFile(join(folder, 'stamp'), stampOf(production, fingerprint));
    },
    async stop() {
      for (const context of contexts) await context.dispose();
      await esbuild.stop();
    },
  };
}

/** Pages first, then the server, then the small scripts. */
function optionsOf({ root, out, production }, stylesPlugin) {
  const exists = (entry) => existsSync(join(root, entry));
  const packages = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies);
  const common = {
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'warning',
    jsx: 'automatic',
    jsxDev: !production,
    minify: production,
    define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
    loader: { '.svg': 'dataurl', '.woff2': 'file' },
    plugins: [stylesPlugin],
  };
  const forBrowser = {
    ...common,
    platform: 'browser',
    target: browsers,
    sourcemap: production ? 'external' : 'linked',
  };
  const pages = {
    ...forBrowser,
    plugins: [areas(root), stylesPlugin],
    entryPoints: entries.browser,
    format: 'esm',
    splitting: true,
    outdir: join(out, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
  };
  const server = {
    ...common,
    entryPoints: entries.server.filter(exists),
    format: 'esm',
    splitting: true,
    platform: 'node',
    target: 'node24',
    minify: false,
    sourcemap: 'linked',
    outdir: out,
    entryNames: '[name]',
    chunkNames: 'chunks/[name]-[hash]',
    // react-dom's server build is CommonJS and asks for Node's own modules by require.
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`,
    },
    external: packages.filter((name) => ![...reactFamily, ...zodFamily].includes(name)),
  };
  const scripts = entries.scripts
    .filter(exists)
    .map((entry) => ({ ...forBrowser, entryPoints: [entry], format: 'iife', outdir: out }));
  // Run by Node elsewhere, from one file.
  const tools = entries.tools.filter(exists).map((entry) => ({
    ...common,
    entryPoints: [entry],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: false,
    outdir: out,
    outExtension: { '.js': '.mjs' },
  }));
  return [pages, server, ...scripts, ...tools];
}

/** The browser must not receive the server: its rooms, or the schema library meant for it. */
function refuseIntruders({ inputs }) {
  const intruders = Object.keys(inputs).filter(
    (path) =>
      (path.startsWith('src/') && !sharedWithBrowser.test(path)) ||
      /node_modules\/zod\/(?!v4\/(mini|core|locales)\/|mini\/)/.test(path),
  );
  if (intruders.length === 0) return;
  const importer = (path) => Object.keys(inputs).find((from) => inputs[from].imports.some((to) => to.path === path));
  const lines = intruders.slice(0, 5).map((path) => `${path} (imported by ${importer(path)})`);
  throw new Error(`These files must not reach the browser:\n  ${lines.join('\n  ')}`);
}

/** Writes a file whose name holds the hash of its content, with its compressed forms; what exists is right already. */
async function writeAsset(path, contents, compressed) {
  if (!existsSync(path)) await replaceFile(path, contents);
  if (!compressed || existsSync(`${path}.br`)) return;
  const best = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length },
  };
  await replaceFile(`${path}.gz`, await promisify(gzip)(contents, { level: 9 }));
  await replaceFile(`${path}.br`, await promisify(brotliCompress)(contents, best));
}

/** Pages and servers loaded before this build still ask for its predecessor's files; older ones go. */
async function removeOldReleases(folders, previous, current) {
  const now = Object.keys(current).map((path) => basename(path));
  const before = Object.keys(previous).map((path) => basename(path));
  if (now.every((name) => before.includes(name))) return;
  const kept = new Set([...now, ...before]);
  for (const folder of folders) {
    for (const name of await readdir(folder)) {
      const isScript = entries.scripts.some((entry) => name.startsWith(basename(entry, '.ts')));
      if (!isScript && !kept.has(name.replace(/\.(br|gz)$/, ''))) await rm(join(folder, name), { force: true });
    }
  }
}

async function readMetafile(folder, part) {
  const path = join(folder, `${part}.meta.json`);
  return existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : null;
}

/** A reader sees the old file or the new one, never half of it. */
async function replaceFile(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp-${process.pid}`, contents);
  await rename(`${path}.tmp-${process.pid}`, path);
}
