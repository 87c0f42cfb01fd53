/** The build holds no secret and no path of the machine that made it. What a browser says of every screen: test/browser/looks.browser.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssets } from '#src/web/assets.ts';

const dist = join(process.cwd(), 'dist');

describe('the build', () => {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const textOf = (folder: string, name: string) => readFileSync(join(folder, name), 'latin1');

  it('names no folder of the machine that made it, and none of its settings', () => {
    expect(files.length).toBeGreaterThan(50);
    const kept = ['DATABASE_URL', 'LUNETA_TEST_ADMIN_URL', 'HOSTNAME', 'SENDGRID_API_KEY', 'AUTH_SECRET', 'NPM_TOKEN'];
    const values = kept.map((name) => process.env[name] ?? '').filter((value) => value.length > 6);
    const wanted = [process.cwd(), ...values];
    const found = files
      .filter(({ name }) => !/\.(br|gz|woff2)$/.test(name))
      .flatMap(({ parentPath, name }) =>
        wanted.filter((text) => textOf(parentPath, name).includes(text)).map((text) => [name, text]),
      );
    expect(found).toEqual([]);
  });

  it('gives its source maps to nobody', () => {
    const scripts = files.filter(({ parentPath, name }) => parentPath.endsWith('assets') && name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(10);
    for (const { parentPath, name } of scripts) {
      // As a comment: the replayer has code that reads the ones of recorded style sheets.
      expect([name, /\/\/[#@] ?sourceMappingURL=\S/.test(textOf(parentPath, name))]).toEqual([name, false]);
    }
    expect([...readAssets(dist).files.keys()].filter((address) => address.endsWith('.map'))).toEqual([]);
  });
});
