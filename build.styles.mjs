/** The style sheets of the build: see `createStyles`. Used by build.mjs alone. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { sourceOf } from './build.areas.mjs';

/** What the browser's bundle is made for. */
export const browsers = ['chrome111', 'edge111', 'firefox114', 'safari16.4'];

/**
 * Style sheets. CSS modules get names that are equal in the browser's and the server's bundle: `<File>_<class>`, so file names must
 * be unique. esbuild would put the styles of every screen into the first sheet; here what is loaded on demand has a sheet of its own:
 * each screen of `views/routes.tsx`, and each part of a screen (`views/kit/lazy-part.tsx`) for what its screens do not have already.
 */
export function createStyles(esbuild, root, production) {
  const owners = new Map();
  const compiled = new Map();

  async function compileModule(path) {
    const source = await readFile(path, 'utf8');
    const known = compiled.get(path);
    if (known?.source === source) return known;
    const name = basename(path, '.module.css');
    const owner = owners.get(name) ?? path;
    owners.set(name, owner);
    if (owner !== path) throw new Error(`${path} and ${owner} need different names: class names are made of them.`);
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: `export { default } from ${JSON.stringify(`./${basename(path)}`)}`,
        resolveDir: dirname(path),
      },
      bundle: true,
      write: false,
      format: 'cjs',
      outdir: '/',
      loader: { '.css': 'local-css' },
      external: ['*.svg', '*.woff2'],
      logLevel: 'silent',
    });
    const text = (extension) => outputFiles.find((file) => file.path.endsWith(extension))?.text ?? '';
    const module = { exports: {} };
    new Function('module', 'exports', text('.js'))(module, module.exports);
    const result = { source, names: module.exports.default, css: text('.css') };
    compiled.set(path, result);
    return result;
  }

  const plugin = {
    name: 'styles',
    setup({ onLoad }) {
      onLoad({ filter: /\.module\.css$/ }, async ({ path }) => ({
        contents: `export default ${JSON.stringify((await compileModule(path)).names)}`,
        loader: 'js',
      }));
      onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'empty' }));
    },
  };

  const scoped = {
    name: 'scoped',
    setup({ onLoad }) {
      onLoad({ filter: /\.module\.css$/ }, async ({ path }) => ({
        contents: (await compileModule(path)).css,
        loader: 'css',
        resolveDir: dirname(path),
      }));
    },
  };

  /** Files in the order of their imports, without what is loaded on demand. */
  function reachable({ inputs }, start) {
    const seen = new Set();
    const visit = (path) => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const { path: next, kind, external } of inputs[path]?.imports ?? [])
        if (!external && kind !== 'dynamic-import') visit(next);
    };
    visit(start);
    return seen;
  }

  /** What the files load on demand. */
  function partsOf({ inputs }, files) {
    const imports = [...files]
      .filter((path) => path !== 'views/routes.tsx')
      .flatMap((path) => inputs[path]?.imports ?? []);
    return new Set(
      imports.filter(({ kind, external }) => kind === 'dynamic-import' && !external).map(({ path }) => sourceOf(path)),
    );
  }

  /** Sheets by the file that they belong to: the entry, the screens, the parts. A file has what whoever loads it has not. */
  function divide(metafile) {
    const sheets = (files) => new Set([...files].filter((path) => path.endsWith('.css')));
    const screens = (metafile.inputs['views/routes.tsx']?.imports ?? [])
      .filter(({ kind }) => kind === 'dynamic-import')
      .map(({ path }) => sourceOf(path));
    const own = new Map();
    /** By part: what is there in any case when it is loaded. */
    const there = new Map();
    const visit = (source, present) => {
      const files = reachable(metafile, source);
      const all = present.union(sheets(files));
      for (const part of partsOf(metafile, files)) {
        const before = there.get(part);
        const now = before === undefined ? all : before.intersection(all);
        if (before !== undefined && now.size === before.size) continue;
        there.set(part, now);
        visit(part, now);
      }
    };
    const base = sheets(reachable(metafile, 'views/browser.tsx'));
    own.set('views/browser.tsx', base);
    visit('views/browser.tsx', base);
    for (const path of screens) {
      own.set(path, sheets(reachable(metafile, path)).difference(base));
      visit(path, base);
    }
    for (const [part, present] of there) {
      if (!own.has(part)) own.set(part, sheets(reachable(metafile, part)).difference(present));
    }
    return own;
  }

  return {
    plugin,
    /** The sheet of the entry and those of the screens and parts, by the source file that they belong to. */
    async sheetsOf(metafile) {
      const sheets = new Map();
      for (const [source, own] of divide(metafile)) {
        if (own.size === 0) continue;
        const { outputFiles } = await esbuild.build({
          stdin: {
            contents: [...own].map((path) => `@import "./${path}";`).join('\n'),
            loader: 'css',
            resolveDir: root,
          },
          bundle: true,
          write: false,
          minify: production,
          outdir: '/',
          entryNames: '[name]-[hash]',
          target: browsers,
          loader: { '.svg': 'dataurl' },
          plugins: [scoped],
          logLevel: 'silent',
        });
        const hash = outputFiles[0].path.split('-').at(-1);
        sheets.set(source, { name: `${basename(source).split('.')[0]}-${hash}`, contents: outputFiles[0].contents });
      }
      return sheets;
    },
  };
}
