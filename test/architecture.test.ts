/** The house plan of docs/architecture.md, held against the real import graph as esbuild resolves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { settingNames } from '#src/config.ts';
import { errorTable } from '#src/kit/errors.ts';

const root = process.cwd();

/** A file imports its own room and lower floors. Files at the top of src stand above all rooms. */
const floors: Record<string, number> = {
  kit: 0,
  store: 1,
  trpc: 1,
  limits: 2,
  mail: 2,
  processes: 2,
  projects: 2,
  proxies: 3,
  accounts: 3,
  persons: 3,
  events: 4,
  columns: 5,
  flags: 5,
  // Of what is stored, and of queries as the engine takes them.
  clickhouse: 5.5,
  collect: 6,
  relay: 6,
  insights: 6,
  dashboards: 7,
  experiments: 7,
  sharing: 8,
  alerts: 7.5,
  // Of dashboards, insights and what else there is to report.
  reports: 7.5,
  imports: 7,
  explorer: 7,
  profiles: 7,
  privacy: 7,
  errors: 7,
  replays: 7,
  jobs: 8,
  status: 9,
  api: 8,
  web: 9,
};
const TOP = 10;
/** Made of what others send by the doors, for `npm start -- --demo` and tests only; nothing imports it but the launcher. */
floors['demo'] = 9;

/** Settings are read by every room, so they lie just above the kit that they use. */
const SETTINGS = 0.5;

/**
 * Parts that the process makes by themselves (`parts.ts`), because they outlive or precede their room's own door, and work that only
 * a command does (`launch.ts`).
 */
const furtherDoors = new Set([
  ...['src/collect/spool.ts', 'src/events/live.ts', 'src/jobs/list.ts'],
  ...[
    'src/accounts/reset-password.ts',
    'src/accounts/audit.ts',
    'src/accounts/note-change.ts',
    // Of links, too.
    'src/accounts/passwords.ts',
    'src/explorer/delete-early.ts',
    'src/collect/rederive.ts',
    'src/demo/now.ts',
    'src/events/rewrite.ts',
    'src/events/sealing.ts',
    'src/events/rebuild.ts',
    'src/events/exceptions.ts',
    'src/events/dropped.ts',
    'src/events/dropped-changes.ts',
    'src/persons/changes.ts',
  ],
  ...['src/persons/people.ts', 'src/persons/erasure.ts', 'src/events/history.ts'],
  ...['src/collect/erasure.ts', 'src/relay/erasure.ts'],
  // Meaning of a visit's fields, also for code that reads rows.
  'src/columns/filters/visit-fields.ts',
  // Whom a request comes from: HTTP is set up with it before there is a process to tell.
  'src/proxies/client-address.ts',
  // A question within its segment, however it came in.
  'src/insights/segments/within.ts',
  // Kinds of insights, and how the public API writes and describes queries.
  'src/insights/define.ts',
  'src/insights/kinds/all-kinds.ts',
  'src/insights/kinds/kinds.ts',
  'src/insights/query/parameters.ts',
  'src/insights/query/results.ts',
  // What its command does.
  'src/clickhouse/command.ts',
  // Filters as conditions on rows.
  'src/columns/filters/filter-sql.ts',
  'src/columns/filters/number-sql.ts',
  'src/columns/filters/people-sql.ts',
  // In which time zone their dates are.
  'src/columns/filters/date-times.ts',
  // What ClickHouse's answers have in common with the engine's: values of conditions, meanings of groups, buckets, and thresholds.
  ...['cohort-sql', 'condition-values', 'fits'].map((name) => `src/columns/filters/${name}.ts`),
  ...['src/columns/conditions/groups.ts', 'src/columns/count/edges.ts', 'src/columns/kernels/merge.ts'],
  // And algorithms on what each did.
  ...['combine-keys', 'count-trend', 'draw-trend', 'funnel', 'funnel-found', 'list-steps', 'paths'].map(
    (name) => `src/columns/kernels/${name}.ts`,
  ),
  ...['person-figures', 'picked'].map((name) => `src/columns/kernels/${name}.ts`),
  ...['answer', 'funnels', 'paths', 'point-people', 'trends'].map((name) => `src/columns/queries/${name}.ts`),
  // What each room deletes of a project that goes.
  ...[
    'projects',
    'persons',
    'events',
    'columns',
    'clickhouse',
    'explorer',
    'profiles',
    'collect',
    'relay',
    'insights',
    'flags',
    'dashboards',
    'experiments',
    'sharing',
    'errors',
    'replays',
    'alerts',
    'reports',
  ].map((room) => `src/${room}/forget.ts`),
]);

/** The layers of `columns/`, from the lowest: a file imports its own layer and lower ones, types included. Its contract is below all. */
const columnLayers = [
  'storage',
  'filters',
  'kernels',
  'threads',
  'sealing',
  'snapshot',
  'conditions',
  'count',
  'queries',
];

/** The rooms of `views/`, from the lowest: a file imports its own room and lower ones. Each folder of screens is a room of the last. */
const viewRooms = [
  'words',
  'kit',
  'charts',
  'frame',
  'question',
  'palette',
  'event',
  'explain',
  'goal',
  'install',
  'insights',
  'drawing',
  'dashboards',
  'sharing',
  'reports',
  'screens',
];

/** Makes esbuild follow imports of types as well, which it leaves out of its graph otherwise. */
const followTypes: Plugin = {
  name: 'follow-types',
  setup({ onLoad }) {
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /^(?:import|export) type (?:\{[^}]*\}|\* as \w+|\w+) from ('[^']+');/gm,
        'import $1;',
      ),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/** What says of which types the parts are that the top makes and hands to procedures, and to screens as a caller. */
const namesTypesAbove = /^src\/(trpc\/(context|procedure)\.ts|web\/(page-queries\.ts|(ssr|shared-pages)\.tsx))$/;

/** Files that every floor and the browser may read: contracts, and what has no schemas in it and so brings no zod along. */
function isForEverybody(path: string): boolean {
  return /^src\/.+\/(contract|values)\.ts$/.test(path) || path === 'src/columns/filters/operators.ts';
}

/** The two places where the server draws screens and mails, and the list that the server matches addresses with. */
const mayImportViews = /^src\/(web\/|mail\/render\.tsx$|app\.ts$|router\.ts$)/;

/** What esbuild calls the entry that has no file. */
const STDIN = '<stdin>';

let graph: Metafile['inputs'];
/** With imports of types. */
let typedGraph: Metafile['inputs'];
let browser: Metafile['inputs'];

describe('the import graph', () => {
  beforeAll(async () => {
    const options = {
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outdir: '/',
      loader: { '.css': 'empty', '.svg': 'empty' },
      logLevel: 'silent',
    } as const;
    const sources = [...filesIn('src'), ...filesIn('views')].filter((path) => /\.tsx?$/.test(path));
    // One entry that uses them all: of a thousand entries esbuild would write a thousand bundles.
    const uses = sources.map((path, number) => `import * as file${number} from './${path}'; use(file${number});`);
    const all = { ...options, stdin: { contents: uses.join('\n'), resolveDir: root } };
    const inputsOf = async (plugins: Plugin[]) => {
      const { [STDIN]: _, ...inputs } = (await build({ ...all, plugins })).metafile.inputs;
      return inputs;
    };
    graph = await inputsOf([]);
    typedGraph = await inputsOf([followTypes]);
    const entries = ['views/browser.tsx', 'views/service-worker.ts', 'views/component.ts'];
    browser = (await build({ ...options, entryPoints: entries })).metafile.inputs;
  });

  it('sees the house', () => {
    expect(Object.keys(graph).filter((path) => path.startsWith('src/')).length).toBeGreaterThan(80);
    expect(Object.keys(graph).filter((path) => path.startsWith('views/')).length).toBeGreaterThan(40);
    expect(edges().length).toBeGreaterThan(300);
  });

  it('has a floor for every room', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.map(({ name }) => name).filter((name) => !(name in floors))).toEqual([]);
  });

  it('goes down only, types included', () => {
    const wrong = edges(typedGraph).filter(([from, to]) => {
      const isTypeOnly = !graph[from]?.imports.some(({ path }) => path === to);
      if (isTypeOnly && namesTypesAbove.test(from)) return false;
      if (!from.startsWith('src/') || !to.startsWith('src/') || isForEverybody(to)) return false;
      return roomOf(from) !== roomOf(to) && floorOf(from) <= floorOf(to);
    });
    expect(wrong.map(arrow)).toEqual([]);
  });

  it('has no circle, types included', () => {
    const left = new Map(Object.entries(typedGraph).map(([path, { imports }]) => [path, staticOf(imports)]));
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      for (const [path, imports] of left) if (!imports.some((each) => left.has(each))) left.delete(path);
    }
    expect([...left.keys()]).toEqual([]);
  });

  it('goes down the layers of columns, types included', () => {
    const layered = edges(typedGraph).flatMap(([from, to]) => {
      const [one, other] = [layerOf(from), layerOf(to)];
      return one === null || other === null ? [] : [{ from, to, one, other }];
    });
    expect(layered.length).toBeGreaterThan(250);
    const wrong = layered.filter(({ one, other }) => one < other);
    expect(wrong.map(({ from, to }) => arrow([from, to]))).toEqual([]);
    const unlayered = Object.keys(graph).filter((path) => /^src\/columns\/\w+\//.test(path) && layerOf(path) === -1);
    expect(unlayered).toEqual([]);
  });

  it('goes down the rooms of views, and from no folder of screens to another', () => {
    const placed = edges().flatMap(([from, to]) => {
      const [one, other] = [viewRoomOf(from), viewRoomOf(to)];
      return one === null || other === null ? [] : [{ from, to, one, other }];
    });
    expect(placed.length).toBeGreaterThan(800);
    const wrong = placed.filter(({ from, to, one, other }) => {
      return one < other || (viewRooms[one] === 'screens' && one === other && screensOf(from) !== screensOf(to));
    });
    expect(wrong.map(({ from, to }) => arrow([from, to]))).toEqual([]);
  });

  it('enters rooms by their doors', () => {
    const wrong = edges().filter(([from, to]) => to.startsWith('src/') && roomOf(from) !== roomOf(to) && !isDoor(to));
    expect(wrong.map(arrow)).toEqual([]);
  });

  it('lets only the table of contents reach routers and endpoints', () => {
    const wrong = edges().filter(
      ([from, to]) =>
        roomOf(from) !== roomOf(to) &&
        ((/^src\/\w+\/router\.ts$/.test(to) && from !== 'src/router.ts') ||
          (/^src\/\w+\/endpoint\.ts$/.test(to) && floorOf(from) < TOP && !from.startsWith('src/collect/'))),
    );
    expect(wrong.map(arrow)).toEqual([]);
  });

  it('keeps the server out of views, and views out of the rooms', () => {
    const intoServer = edges().filter(
      ([from, to]) =>
        from.startsWith('views/') &&
        to.startsWith('src/') &&
        !isForEverybody(to) &&
        !/^src\/kit\/(errors|json)\.ts$/.test(to),
    );
    const intoViews = edges().filter(
      ([from, to]) => from.startsWith('src/') && to.startsWith('views/') && !mayImportViews.test(from),
    );
    expect([...intoServer, ...intoViews].map(arrow)).toEqual([]);
  });

  it('gives contracts nothing but zod/mini, other contracts and the pure kit', () => {
    const wrong = Object.entries(graph)
      .filter(([path]) => isForEverybody(path))
      .flatMap(([from, { imports }]) => imports.map(({ path }) => [from, path] as const))
      .filter(([, to]) => to !== 'zod/mini' && !isForEverybody(to) && !/^src\/kit\/\w+\.ts$/.test(to));
    expect(wrong.map(arrow)).toEqual([]);
  });

  it('brings nothing of the server into the browser', () => {
    expect(Object.keys(browser).length).toBeGreaterThan(40);
    const wrong = Object.keys(browser).filter(
      (path) =>
        path.startsWith('src/') &&
        !isForEverybody(path) &&
        !/^src\/kit\/(errors|json|line|name|place|range|row)\.ts$/.test(path),
    );
    expect(wrong).toEqual([]);
    const packages = new Set(Object.values(browser).flatMap(({ imports }) => imports.map(({ path }) => path)));
    // The editor of insights reads addresses with the kinds' own schemas.
    expect([...packages].filter((path) => /^(?:zod|node:)/.test(path))).toEqual(['zod/mini']);
  });
});

describe('the sources', () => {
  const sources = [...filesIn('src'), ...filesIn('views')]
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

  function linesWith(pattern: RegExp, isExempt: (path: string) => boolean): string[] {
    return sources
      .filter(({ path }) => !isExempt(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => {
          const code = line.replace(/^\s*(\*|\/\/|\/\*).*/, '').replace(/\s\/\/ .*/, '');
          return pattern.test(code) ? [`${path}:${index + 1}: ${line.trim()}`] : [];
        }),
      );
  }

  it('take the time from the clock', () => {
    const isClock = (path: string) => path === 'src/kit/clock.ts';
    // The log stamps its lines by itself; the browser's entry has no Deps.
    const isExempt = (path: string) => isClock(path) || path === 'src/kit/log.ts' || path.startsWith('views/');
    expect(linesWith(/Date\.now\(|new Date\(\)/, isExempt)).toEqual([]);
  });

  it('take chance from node:crypto', () => {
    expect(
      linesWith(/\bMath\s*(\?\.|\.)\s*random\b|\bMath\s*\[|\{[^}]*\brandom\b[^}]*\}\s*=\s*Math\b/, () => false),
    ).toEqual([]);
  });

  it('pass times into SQL', () => {
    expect(
      linesWith(
        /(?<!\.)\b(now|clock_timestamp|statement_timestamp)\(\)|\b(current_timestamp|localtimestamp)\b/i,
        // The clock of the database itself is asked for in one place.
        (path) => isNotSql(path) || path === 'src/store/database-time.ts',
      ),
    ).toEqual([]);
  });

  it('read the environment in the processes and the uploader only', () => {
    const isProcess = (path: string) => /^src\/(main|launch|worker|errors\/maps\/luneta-maps)\.ts$/.test(path);
    expect(linesWith(/process\.env\b/, isProcess)).toEqual([]);
  });

  it('hold no function longer than 150 lines', () => {
    // The formatter puts both ends of what stands at the top of a file at the beginning of a line.
    const long = sources
      .filter(({ path }) => !path.startsWith('src/store/migrations/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^(?:export )?(?:default )?(?:async )?function\*? (\w+)[\s\S]*?^\}/gm)]
          .filter(([body]) => body.split('\n').length > 150)
          .map(([, name]) => `${path}: ${name}`),
      );
    expect(long).toEqual([]);
  });

  it('draw no style attribute', () => {
    // Mail programs read nothing else.
    expect(linesWith(/\bstyle=\{/, (path) => !path.startsWith('views/') || path.startsWith('views/mails/'))).toEqual(
      [],
    );
  });

  it('leave what is drawn late to one component', () => {
    const suspending = sources.filter(({ path, text }) => path.startsWith('views/') && /\bSuspense\b/.test(text));
    expect(suspending.map(({ path }) => path)).toEqual(['views/kit/Late.tsx']);
  });

  it('write to the tables of their own room only', () => {
    const owners = tableOwners();
    expect(owners.size).toBeGreaterThan(15);
    let seen = 0;
    const wrong = sources.flatMap(({ path, text }) => {
      if (!path.startsWith('src/') || path.startsWith('src/store/')) return [];
      const writes = text.matchAll(/\b(?:insert into|update|delete from|copy|truncate)\s+"?([a-z_]+)"?/g);
      return [...writes]
        .map(([, table = '']) => table)
        .filter((table) => owners.has(table))
        .map((table) => {
          seen += 1;
          return table;
        })
        .filter((table) => owners.get(table) !== roomOf(path))
        .map((table) => `${path} writes ${table}, which belongs to ${owners.get(table)}`);
    });
    expect(seen).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });

  /** `.now()` of the clock is no SQL. */
  function isNotSql(path: string): boolean {
    return path.startsWith('views/') || path === 'src/kit/clock.ts';
  }
});

describe('the documents', () => {
  it('repeat the error codes', () => {
    const text = readFileSync(join(root, 'docs/error-codes.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| `(\w+)` \|/gm)];
    const documented = Object.fromEntries(rows.map(([, code, http, trpc]) => [code, { http: Number(http), trpc }]));
    expect(documented).toEqual(errorTable);
  });

  it('list every setting in .env.example', () => {
    const text = readFileSync(join(root, '.env.example'), 'utf8');
    const names = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual([...settingNames, 'SKIP_ENV_VALIDATION'].sort());
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function edges(of = graph): [string, string][] {
  return Object.entries(of).flatMap(([from, { imports }]) =>
    imports.filter(({ external }) => !external).map(({ path }): [string, string] => [from, path]),
  );
}

function staticOf(imports: Metafile['inputs'][string]['imports']): string[] {
  return imports.filter(({ external, kind }) => !external && kind === 'import-statement').map(({ path }) => path);
}

function arrow([from, to]: readonly [string, string]): string {
  return `${from} → ${to}`;
}

function roomOf(path: string): string {
  return /^src\/(\w+)\//.exec(path)?.[1] ?? (path.startsWith('views/') ? 'views' : 'top');
}

/** Number of the layer of `columns/`; above all of them for files of the room itself; null: the contract, and what is no part of it. */
function layerOf(path: string): number | null {
  const [, room, layer = '', inner] = path.split('/');
  if (room !== 'columns' || layer === 'contract.ts' || layer === 'values.ts') return null;
  return inner === undefined ? columnLayers.length : columnLayers.indexOf(layer);
}

/** Number of the room of `views/`; null: what stands above the rooms or outside. */
function viewRoomOf(path: string): number | null {
  const [top, room = ''] = path.split('/');
  const place = top === 'views' ? viewRooms.indexOf(room) : -1;
  return place === -1 ? null : place;
}

function screensOf(path: string): string | undefined {
  return path.split('/')[2];
}

function floorOf(path: string): number {
  return path === 'src/config.ts' ? SETTINGS : (floors[roomOf(path)] ?? TOP);
}

/** `<room>/<room>.ts`, its contract, router and endpoint; a folder's own door and contract; the ground floors are open. */
function isDoor(path: string): boolean {
  const [, room, ...rest] = path.split('/');
  if (isForEverybody(path) || furtherDoors.has(path) || rest.length === 0 || room === 'kit' || room === 'trpc')
    return true;
  const [name = '', inner] = rest;
  if (inner !== undefined) return inner === `${name}.ts` || isForEverybody(path);
  return room === 'store' || room === 'web' || [`${room}.ts`, 'contract.ts', 'router.ts', 'endpoint.ts'].includes(name);
}

/** The last column of the map in docs/architecture.md. */
function tableOwners(): Map<string, string> {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const rows = text.matchAll(/^\| [\d, ]+ \| `(\w+)\/` \|[^|]*\| `([a-z_ ]+)` \|$/gm);
  return new Map([...rows].flatMap(([, room = '', tables = '']) => tables.split(' ').map((table) => [table, room])));
}
