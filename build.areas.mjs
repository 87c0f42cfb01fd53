/**
 * The scripts that the browser's code is divided into. esbuild makes one script of all files that the same split points need, so what decides
 * how many there are is how many split points there are, and whether they need the same. Split points are areas (`views/areas`): several
 * screens each, or parts that a page loads after it. Here each area is made to need all of the layers that it builds on
 * (`views/areas/shared`), so a layer is one script, and an area is what it does not share.
 *
 * Add to a layer what several areas share; test/browser/budget tells when a page needs too many scripts, or too large ones.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const layers = 'views/areas/shared';

/** By area, what it builds on besides `base`. */
const builtOn = {
  account: ['forms', 'comboboxes'],
  alerts: ['forms'],
  'channel-rules': ['forms'],
  'copy-switch': ['forms'],
  cohorts: ['forms', 'questions', 'comboboxes'],
  'dashboard-edit': ['forms', 'questions', 'comboboxes', 'insights', 'dashboards', 'rules'],
  'dashboard-list': ['forms', 'insights', 'dashboards'],
  'dashboard-tiles': ['forms', 'questions', 'comboboxes', 'insights', 'dashboards', 'rules'],
  'dashboard-wall': ['forms', 'insights', 'dashboards'],
  dashboards: ['forms', 'insights', 'dashboards'],
  definitions: ['forms', 'questions', 'comboboxes'],
  entrance: ['forms', 'comboboxes'],
  'early-access': ['forms'],
  experiments: ['forms', 'questions', 'comboboxes'],
  errors: ['forms', 'questions'],
  explain: ['forms', 'questions', 'rules'],
  explorer: ['forms', 'questions', 'comboboxes'],
  'filter-bar': ['questions'],
  'flag-parts': ['forms', 'questions', 'comboboxes'],
  flags: ['forms', 'questions', 'comboboxes'],
  goals: ['forms', 'questions', 'comboboxes', 'rules'],
  'group-parts': ['forms', 'questions', 'comboboxes', 'insights'],
  groups: ['forms', 'questions', 'comboboxes'],
  heatmaps: ['forms', 'questions'],
  'insight-kinds': ['forms', 'questions', 'comboboxes', 'insights'],
  'insight-list': ['forms', 'insights'],
  'insight-parts': ['forms', 'questions', 'comboboxes', 'insights', 'rules'],
  'insight-people': ['forms', 'questions', 'comboboxes', 'insights', 'rules'],
  insights: ['forms', 'insights'],
  install: ['forms'],
  map: ['questions'],
  movers: ['questions', 'rules'],
  operation: ['forms', 'questions'],
  'overview-cards': ['questions', 'rules'],
  panels: ['forms', 'questions', 'comboboxes'],
  people: ['forms', 'questions', 'comboboxes'],
  project: ['forms', 'comboboxes'],
  proof: ['forms'],
  'question-forms': ['forms', 'questions', 'comboboxes'],
  'replay-settings': ['forms'],
  reports: ['forms', 'comboboxes'],
  sharing: ['forms'],
  replays: ['forms', 'questions'],
  'site-texts': ['forms'],
};

const namespace = 'area';

/** Where routes say their source files, by which the server finds their scripts. The browser does not need them: they are left out on every page. */
const filesOfRoutes = /^ +(?:file|part): '[^']*',\n/gm;

/** Wraps each area that is imported on demand. */
export function areas(root) {
  return {
    name: 'areas',
    setup({ onResolve, onLoad }) {
      onLoad({ filter: /[\\/]views[\\/]routes\.tsx$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replace(filesOfRoutes, ''),
        loader: 'tsx',
      }));
      onResolve({ filter: /(^|\/)areas\/[\w-]+\.ts$/ }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path: path.replace(/^.*areas\//, 'views/areas/'), namespace } : undefined,
      );
      onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const name = path.replace(/^.*\/|\.ts$/g, '');
        const below = ['base', ...(builtOn[name] ?? [])].map((layer) => `import './${join(layers, layer)}.ts';`);
        return { contents: `${below.join('\n')}\nexport * from './${path}';`, resolveDir: root };
      });
    },
  };
}

/** The source file of an area, by which others know it, for what esbuild calls it. */
export function sourceOf(name) {
  return name.startsWith(`${namespace}:`) ? name.slice(namespace.length + 1) : name;
}
