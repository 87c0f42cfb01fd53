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

/** What is opened every day costs least; forms and settings bring what they share among themselves (build.chunks.mjs). */
const daily = new Set(['overview', 'live', 'ingestion']);

describe.each(routes.map(({ name, ...route }) => [name, { name, ...route }] as const))(
  'the first page, %s',
  (name, route) => {
    describe.each(['en', 'pt-BR'])('in %s', (language) => {
      const scripts = [files.entry.src, ...files.preload(route, language).map(({ src }) => src)];
      const styles = [...files.styles, ...(files.routeStyles[name] ?? [])];

      const isDaily = daily.has(name);

      it(`loads at most ${isDaily ? '110 kB of JavaScript in four' : '140 kB of JavaScript in seven'} files`, () => {
        expect(scripts.length).toBeLessThanOrEqual(isDaily ? 4 : 7);
        expect(weight(scripts, 'gz')).toBeLessThanOrEqual(isDaily ? 110_000 : 140_000);
        expect(weight(scripts, 'br')).toBeLessThanOrEqual(isDaily ? 96_000 : 122_000);
      });

      it('loads at most 8 kB of style sheets', () => {
        expect(weight(styles, 'gz')).toBeLessThanOrEqual(8_000);
      });
    });
  },
);

it('leaves at most 20 kB to each further screen', () => {
  for (const { file } of routes) {
    expect([file, weight(assets.chunkOf(file).scripts.slice(0, 1), 'gz') <= 20_000]).toEqual([file, true]);
  }
});

it('loads analytics apart, at most 105 kB of it', () => {
  const holding = Object.entries(outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((path) => path.includes('node_modules/posthog-js/')),
  );
  expect(holding).toHaveLength(1);
  const first = new Set(routes.flatMap((route) => files.preload(route, 'en').map(({ src }) => src)));
  for (const [path] of holding) {
    const address = path.slice(path.indexOf('/assets/'));
    expect(first).not.toContain(address);
    expect(weight([address], 'gz')).toBeLessThanOrEqual(105_000);
  }
});

it('holds nothing that belongs elsewhere', () => {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  expect(inputs.length).toBeGreaterThan(100);
  const allowed = /^src\/(.+\/contract\.ts|kit\/(errors|json)\.ts)$/;
  expect(inputs.filter((path) => path.startsWith('src/') && !allowed.test(path))).toEqual([]);
  expect(inputs.filter((path) => /node_modules\/(recharts|zod\/v4\/classic|pino|express|pg)\//.test(path))).toEqual([]);
});

it('finds the chunk of every screen by its source', () => {
  for (const { file } of routes) expect([file, assets.chunkOf(file).scripts.length > 0]).toEqual([file, true]);
});
