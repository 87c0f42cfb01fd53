/** The thread is small: it begins in each process that is asked something. */
import { build } from 'esbuild';

it('imports nothing but its room and the kit', async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['src/columns/threads/thread.ts'], bundle: true, write: false, metafile: true },
    ...{ packages: 'external', platform: 'node', format: 'esm', logLevel: 'silent' },
  });
  const paths = Object.keys(metafile.inputs);
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !/^src\/(columns|kit)\//.test(path))).toEqual([]);
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  expect([...new Set(imports.map(({ path }) => path))].sort()).toEqual(['node:os', 'node:v8', 'node:worker_threads']);
});
