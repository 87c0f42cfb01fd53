/** What a first visit costs, read from the build's own account of it. Bytes are 1,000 to the kB, compressed as served. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readAssets } from '#src/web/assets.ts';
import { pageFiles } from '#src/web/page-files.ts';
import { routes } from '#views/routes.tsx';

const dist = join(process.cwd(), 'dist');
if (!existsSync(join(dist, 'stamp'))) throw new Error('The budget is held against the build: npm run build');

interface Output {
  inputs: Record<string, { bytesInOutput: number }>;
  entryPoint?: string;
  imports: { path: string; kind: string }[];
}
const outputs = (
  JSON.parse(readFileSync(join(dist, 'browser.meta.json'), 'utf8')) as { outputs: Record<string, Output> }
).outputs;

const assets = readAssets(dist);
const files = pageFiles(assets, routes);
const weight = (addresses: readonly string[], encoding: 'gz' | 'br') =>
  addresses.reduce((sum, address) => sum + statSync(join(dist, `${address}.${encoding}`)).size, 0);

/** The first screen of a project, which is opened most. */
const FIRST = 'overview';

describe.each(routes.map(({ name, ...route }) => [name, { name, ...route }] as const))(
  'the first page, %s',
  (name, route) => {
    describe.each(['en', 'pt-BR'])('in %s', (language) => {
      const scripts = [files.entry.src, ...files.preload(route, language).map(({ src }) => src)];
      const styles = [...files.styles, ...(files.routeStyles[name] ?? [])];
      // Other screens: as the first one, and up to 40 kB of their own.
      const limit = name === FIRST ? { scripts: 140_000, styles: 8_000 } : { scripts: 180_000, styles: 10_000 };

      it(`loads at most ${limit.scripts / 1_000} kB of JavaScript in twelve files`, () => {
        expect(scripts.length).toBeLessThanOrEqual(12);
        expect(weight(scripts, 'gz')).toBeLessThanOrEqual(limit.scripts);
      });

      it(`loads at most ${limit.styles / 1_000} kB of style sheets`, () => {
        expect(weight(styles, 'gz')).toBeLessThanOrEqual(limit.styles);
      });
    });
  },
);

it('leaves at most 40 kB to each area of screens', () => {
  for (const { file } of routes) {
    expect([file, weight(assets.chunkOf(file).scripts.slice(0, 1), 'gz') <= 40_000]).toEqual([file, true]);
  }
});

it('loads analytics apart, at most 95 kB of it', () => {
  const holding = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => /node_modules\/posthog-js\/(?!dist\/rrweb\.js)/.test(path)),
  );
  expect(holding).toHaveLength(1);
  const first = new Set(routes.flatMap((route) => files.preload(route, 'en').map(({ src }) => src)));
  for (const [path] of holding) {
    const address = path.slice(path.indexOf('/assets/'));
    expect(first).not.toContain(address);
    expect(weight([address], 'gz')).toBeLessThanOrEqual(95_000);
  }
});

it('loads what draws recordings apart, at most 110 kB of it', () => {
  const holding = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.endsWith('node_modules/posthog-js/dist/rrweb.js')),
  );
  expect(holding).toHaveLength(1);
  const first = new Set(routes.flatMap((route) => files.preload(route, 'en').map(({ src }) => src)));
  for (const [path] of holding) {
    const address = path.slice(path.indexOf('/assets/'));
    expect(first).not.toContain(address);
    expect(weight([address], 'gz')).toBeLessThanOrEqual(110_000);
  }
});

it('holds nothing that belongs elsewhere', () => {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.length).toBeGreaterThan(100);
  const allowed =
    /^src\/(.+\/(contract|values)\.ts|columns\/filters\/operators\.ts|kit\/(errors|json|line|name|place|range|row)\.ts)$/;
  expect(inputs.filter((path) => path.startsWith('src/') && !allowed.test(path))).toEqual([]);
  expect(inputs.filter((path) => /node_modules\/(recharts|zod\/v4\/classic|pino|express|pg)\//.test(path))).toEqual([]);
});

it('finds the chunk of every screen by its source', () => {
  for (const { file } of routes) expect([file, assets.chunkOf(file).scripts.length > 0]).toEqual([file, true]);
});
