/** The uploader of source maps, as it is served. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The built file; from its source where nothing was built (tests, and programs run from source). */
export async function loadUploader(): Promise<string> {
  const built = ['./luneta-maps.mjs', '../luneta-maps.mjs']
    .map((place) => new URL(place, import.meta.url))
    .find(existsSync);
  if (built !== undefined) return readFile(built, 'utf8');
  const { transform } = await import('esbuild');
  const source = await readFile(new URL('./luneta-maps.ts', import.meta.url), 'utf8');
  return (await transform(source, { loader: 'ts', format: 'esm', target: 'node20' })).code;
}
