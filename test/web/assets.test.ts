import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssets } from '#src/web/assets.ts';

/** A build of two files, one of them compressed. */
async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'luneta-assets-'));
  await mkdir(join(folder, 'assets'));
  const entry = { entryPoint: 'views/browser.tsx', imports: [] };
  writeFileSync(join(folder, 'browser.meta.json'), JSON.stringify({ outputs: { 'dist/assets/browser-A.js': entry } }));
  for (const [name, text] of Object.entries({
    'browser-A.js': 'entry',
    'browser-A.js.br': 'br',
    'browser-A.js.gz': 'gz',
    'browser-A.js.map': 'map',
    'part-B.css': 'part',
  })) {
    writeFileSync(join(folder, 'assets', name), text);
  }
  return folder;
}

it('knows the forms of a file without reading it, and keeps what was read', async () => {
  const folder = await build();
  const { files, entry, integrityOf } = readAssets(folder);
  expect([...files.keys()].sort()).toEqual(['/assets/browser-A.js', '/assets/part-B.css']);
  expect(entry).toEqual({ scripts: ['/assets/browser-A.js'], styles: [] });
  const file = files.get('/assets/browser-A.js');
  const sheet = files.get('/assets/part-B.css');
  expect(['br' in (file ?? {}), 'br' in (sheet ?? {})]).toEqual([true, false]);
  expect([file?.type, sheet?.type]).toEqual(['text/javascript; charset=utf-8', 'text/css; charset=utf-8']);
  expect([file?.identity, file?.br, file?.gzip].map(String)).toEqual(['entry', 'br', 'gz']);
  expect(integrityOf('/assets/browser-A.js')).toBe(
    'sha384-62uBgnG6+YTGQNMl+obi6qVkdGZnlhGcgfthFhDiF516gWydfNbHtTpyulxi7Aeh',
  );
  expect(integrityOf('/assets/none.js')).toBeUndefined();
  rmSync(folder, { recursive: true });
  expect(String(file?.identity)).toBe('entry');
  // A later build took it away before anybody had asked for it.
  expect(() => sheet?.identity).toThrow(expect.objectContaining({ code: 'not_found' }));
});
