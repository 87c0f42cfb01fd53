/**
 * Joins what esbuild's splitting takes apart, see `joinChunks`. esbuild makes a file for every set of entries that share code;
 * with screens, languages and parts loaded on demand that is some thirty small files for the first page, which compress
 * badly and come one after the other. Used by build.mjs alone, for production.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';

const entry = 'views/browser.tsx';
/** What these import on demand a first page may need besides the entry: screens, and the words of a language. */
const listsOfPages = ['views/routes.tsx', 'views/words/catalogues.ts'];

/**
 * One file for the entry, all that it imports and what the daily pages share; one for what only other pages share; one for each page's own
 * code. What only parts of pages share stays apart. Files import from each other what they need, under the names they are joined to.
 *
 * @param outputFiles what esbuild made with `splitting`: scripts with external source maps
 * @param metafile of that
 * @returns the same kind of files and metafile; `inputs` as they were
 */
export async function joinChunks({ root, outputFiles, metafile }) {
  /** Small pieces that any screen may be made of. */
  const isKit = (name) =>
    Object.keys(metafile.outputs[`${folder}/${name}`].inputs).every((path) =>
      /^(views\/(kit\/|words\/relative|screens\/(events\/OpenEvent|insights\/(Explained|explain-screen)\.))|src\/events\/paths\/)/.test(
        path,
      ),
    );
  const contents = new Map(outputFiles.map((file) => [basename(file.path), file]));
  const { inputs, outputs } = metafile;
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'));
  const folder = dirname(scripts[0]);
  const chunks = new Map(scripts.map((path) => [basename(path), readChunk(path)]));

  function readChunk(path) {
    const text = contents.get(basename(path)).text;
    const imported = new Map();
    for (const [, names, from] of text.matchAll(/import\{([^{}]*)\}from"\.\/([\w.-]+\.js)"/g)) {
      imported.set(from, [...(imported.get(from) ?? []), ...names.split(',').map((name) => name.split(' as ')[0])]);
    }
    const ofKind = (kind) =>
      outputs[path].imports.filter((to) => to.kind === kind && !to.external).map((to) => basename(to.path));
    const { entryPoint, exports } = outputs[path];
    const hasDefault = exports.includes('default');
    return {
      source: entryPoint,
      exports: entryPoint ? [] : exports,
      hasDefault,
      imported,
      needs: ofKind('import-statement'),
    };
  }

  const pages = listsOfPages.flatMap((list) =>
    inputs[list].imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  );
  const groups = groupChunks(chunks, pages, isKit);
  const groupOf = new Map(groups.flatMap((group) => group.members.map((member) => [member, group])));
  nameGroups(groups, chunks, groupOf);
  /**
   * Every chunk names its exports a, b, c …; in a joined file they need names of their own. They follow from the chunk's content alone:
   * a file that keeps its name from one build to the next must keep what it offers too, since browsers never ask for it again. Five letters
   * tell chunks apart, and two that they do not would end the build: such names compress to what they are long.
   */
  const alias = (chunk, name) => `${/-(\w{5})\w{3}\.js$/.exec(chunk)[1].toLowerCase().replace(/^\d/, '_$&')}_${name}`;

  /** What a file joined with others must offer the rest, besides what it exports anyway. */
  function offered(group) {
    const lines = [];
    for (const member of group.members) {
      const names = new Set(isAlone(group, chunks, groupOf) ? chunks.get(member).exports : []);
      for (const [other, { imported }] of chunks) {
        if (groupOf.get(other) !== group) for (const name of imported.get(member) ?? []) names.add(name);
      }
      const list = [...names].map((name) => `${name} as ${alias(member, name)}`);
      if (list.length > 0) lines.push(`export {${list.join(',')}} from "./${member}";`);
    }
    return lines.join('\n');
  }

  const plugin = {
    name: 'join',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^join:/ }, ({ path }) => ({ path, namespace: 'join' }));
      onResolve({ filter: /^\.\// }, ({ path, kind, importer, namespace }) => {
        const chunk = basename(path);
        if (namespace === 'offer') return { path, external: true };
        const group = groupOf.get(chunk);
        if (kind === 'dynamic-import') return { path: `./${group.name}`, external: true };
        const from =
          namespace === 'join' ? groups.find(({ name }) => `join:${name}` === importer) : groupOf.get(importer);
        if (group === from) return { path: chunk, namespace: 'chunk' };
        return { path: `${importer} ${chunk}`, namespace: 'offer', sideEffects: false };
      });
      onLoad({ filter: /.*/, namespace: 'join' }, ({ path }) => {
        const group = groups.find(({ name }) => `join:${name}` === path);
        const [head] = group.members;
        // `export *` leaves the default out.
        const defaults = chunks.get(head).hasDefault ? `export { default } from "./${head}";\n` : '';
        const own = `import "./${head}";\nexport * from "./${head}";\n${defaults}`;
        return { contents: own + offered(group), resolveDir: root };
      });
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => {
        const map = contents.get(`${path}.map`);
        const comment = map
          ? `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`
          : '';
        return { contents: contents.get(path).text + comment, resolveDir: root };
      });
      onLoad({ filter: /.*/, namespace: 'offer' }, ({ path }) => {
        const [importer, chunk] = path.split(' ');
        const names = chunks.get(importer).imported.get(chunk) ?? [];
        const list = names.map((name) => `${alias(chunk, name)} as ${name}`);
        return { contents: `export {${list.join(',')}} from "./${groupOf.get(chunk).name}"`, resolveDir: root };
      });
    },
  };

  const result = await esbuild.build({
    entryPoints: groups.map(({ name }) => ({ in: `join:${name}`, out: name.replace(/\.js$/, '') })),
    absWorkingDir: root,
    outdir: join(root, folder),
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    target: 'esnext',
    sourcemap: 'external',
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [plugin],
  });

  const joined = { ...metafile, outputs: {} };
  for (const [path, output] of Object.entries(outputs)) if (!path.includes('.js')) joined.outputs[path] = output;
  for (const { name, members } of groups) {
    const { bytes, imports, exports } = result.metafile.outputs[`${folder}/${name}`];
    const source = chunks.get(members[0]).source;
    joined.outputs[`${folder}/${name}`] = {
      bytes,
      exports,
      imports: imports.map(({ path, kind }) => ({ path: `${folder}/${basename(path)}`, kind })),
      ...(source ? { entryPoint: source } : {}),
      inputs: Object.assign({}, ...members.map((member) => outputs[`${folder}/${member}`].inputs)),
    };
    joined.outputs[`${folder}/${name}.map`] = { bytes: 0, imports: [], exports: [], inputs: {} };
  }
  return { outputFiles: result.outputFiles, metafile: joined };
}

/** The pages that people open every day. What two of them share comes with the entry; what only other pages share is a file of its own. */
const daily = [
  'views/screens/insights/Overview.tsx',
  'views/screens/events/Live.tsx',
  'views/screens/collect/Ingestion.tsx',
];

/** Which chunks become one file; the first member is the one that the file stands for. */
function groupChunks(chunks, pages, isKit) {
  const nameOf = (source) => [...chunks].find(([, chunk]) => chunk.source === source)?.[0];
  const reach = (start) => {
    const found = new Set([start]);
    for (const name of found) for (const next of chunks.get(name).needs) found.add(next);
    return found;
  };
  const base = reach(nameOf(entry));
  const heads = pages.map(nameOf).filter((name) => name && !base.has(name));
  const isDaily = (head) => daily.includes(chunks.get(head).source);
  /** By room (folder), when the pages are of one. */
  const shared = new Map();
  /** What one daily page shares with others stays with it: they can fetch its file. */
  const kept = new Map(heads.filter(isDaily).map((head) => [head, []]));
  /** Small pieces of others that the first page does without. */
  const kit = [];
  const first = nameOf(daily[0]);
  for (const name of chunks.keys()) {
    if (chunks.get(name).source || base.has(name)) continue;
    const sharing = heads.filter((head) => reach(head).has(name));
    const dailies = sharing.filter(isDaily);
    if (sharing.length < 2) continue;
    if (dailies.length > 1) for (const each of reach(name)) base.add(each);
    else if (dailies.length === 1) (isKit(name) && dailies[0] !== first ? kit : kept.get(dailies[0])).push(name);
    else {
      const rooms = new Set(sharing.map((head) => dirname(chunks.get(head).source)));
      const place = rooms.size === 1 ? [...rooms][0] : 'many';
      shared.set(place, [...(shared.get(place) ?? []), name]);
    }
  }
  const groups = [{ members: [...base] }];
  for (const all of [...shared.values(), kit]) {
    const members = all.filter((name) => !base.has(name));
    if (members.length > 0) groups.push({ members, isShared: true });
  }
  for (const [head, names] of kept) {
    groups.push({ members: [head, ...names.filter((name) => !base.has(name))], isShared: true });
  }
  const placed = new Set(groups.flatMap(({ members }) => members));
  for (const head of heads) {
    const members = [...reach(head)].filter((name) => !placed.has(name));
    if (placed.has(head)) groups.find((group) => group.members[0] === head).members.push(...members);
    else groups.push({ members });
  }
  const taken = new Set(groups.flatMap(({ members }) => members));
  for (const name of chunks.keys()) if (!taken.has(name)) groups.push({ members: [name] });
  return groups;
}

/** One chunk that imports nothing. */
function isAlone(group, chunks, groupOf) {
  const [only, ...others] = group.members;
  return others.length === 0 && chunks.get(only).needs.every((next) => groupOf.get(next) === group);
}

/**
 * Names by content. esbuild's names change with everything that a chunk imports, so they stand for it; what imports from another
 * file changes with what is shared as well, since that is where the joined names come from. `joined` counts the ways of joining.
 */
function nameGroups(groups, chunks, groupOf) {
  const [base, ...rest] = groups;
  const shared = [base, ...rest.filter(({ isShared }) => isShared)].flatMap(({ members }) => members);
  for (const group of groups) {
    const [head] = group.members;
    const others = isAlone(group, chunks, groupOf) ? [] : shared;
    const hash = createHash('sha256')
      .update(['joined 8', ...group.members, ...others].join('\n'))
      .digest('hex');
    group.name = head.replace(/-[A-Z0-9]{8}\.js$/, `-${hash.slice(0, 8).toUpperCase()}.js`);
  }
}

/**
 * React is CommonJS, so every use of it would be written `(0,react.useState)`. Named once, uses are as short as those of our own code, and
 * that is most of what a screen's code says.
 */
export function reactByName(root) {
  const load = createRequire(join(root, 'package.json'));
  return {
    name: 'react-by-name',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^react(\/jsx-runtime)?$/ }, ({ path, kind, namespace }) =>
        kind === 'import-statement' && namespace !== 'react-by-name'
          ? { path, namespace: 'react-by-name', sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'react-by-name' }, ({ path }) => {
        const names = Object.keys(load(path)).filter((name) => /^[A-Za-z]\w*$/.test(name));
        const lines = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`);
        const contents = `import all from ${JSON.stringify(path)};\nexport default all;\n${lines.join('\n')}`;
        return { contents, resolveDir: root };
      });
    },
  };
}

/**
 * The browser needs of a route where it is and how to load it. Who may see it, for whom it is not and what file it is only the server asks; what is left out here is
 * what `Route` says when it says nothing.
 */
export function leanRoutes(root) {
  const table = join(root, 'views/routes.tsx');
  return {
    name: 'lean-routes',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]views[\\/]routes\.tsx$/ }, async ({ path }) => {
        if (path !== table) return undefined;
        const text = await readFile(path, 'utf8');
        const lean = text.replace(
          /^ +(needs: '\w+'|before: '\w+'|file: '[^']*'|frame: 'project'|showsEvents: false),$/gm,
          '',
        );
        return { contents: lean, loader: 'tsx' };
      });
    },
  };
}
