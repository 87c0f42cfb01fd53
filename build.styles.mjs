/** The style sheets of the build: see `createStyles`. Used by build.mjs alone. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** What the browser's bundle is made for. */
export const browsers = ['chrome111', 'edge111', 'firefox114', 'safari16.4'];

/**
 * Style sheets. CSS modules get names that are equal in the browser's and the server's bundle: `<File>_<class>`, so file names must
 * be unique. esbuild would put the styles of every screen into the first sheet; here a screen that `views/routes.tsx` loads on demand
 * has a sheet of its own, and everything else belongs to whoever imports it.
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

  /** Style sheets in the order of their imports, across everything but the screens loaded on demand. */
  function reachable({ inputs }, start) {
    const found = new Set();
    const seen = new Set();
    const visit = (path) => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const { path: next, kind, external } of inputs[path]?.imports ?? []) {
        const isScreen = kind === 'dynamic-import' && path === 'views/routes.tsx';
        if (!external && !isScreen) visit(next);
      }
      if (path.endsWith('.css')) found.add(path);
    };
    visit(start);
    return found;
  }

  return {
    plugin,
    /** The sheet of the entry and those of the screens, by the source file that they belong to. */
    async sheetsOf(metafile) {
      const screens = (metafile.inputs['views/routes.tsx']?.imports ?? []).filter(
        ({ kind }) => kind === 'dynamic-import',
      );
      const base = reachable(metafile, 'views/browser.tsx');
      const sheets = new Map();
      for (const source of ['views/browser.tsx', ...screens.map(({ path }) => path)]) {
        const own = source === 'views/browser.tsx' ? base : reachable(metafile, source).difference(base);
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
