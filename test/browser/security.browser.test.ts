/**
 * What a browser itself says of every screen: no violation of the policy, nothing on the console, nothing from elsewhere; and nothing left to
 * see after signing out. The build holds no secret and no path of the machine that made it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useBrowser } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { screenPaths } from '#test/kit/routes.ts';
import { eventually, runLuneta } from './luneta.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);

async function teamOfOwner(): Promise<number> {
  const [row] = await database.query<{ id: number }>('select id from teams');
  return row?.id ?? 0;
}

// In the other language, on a phone: test/browser/looks.browser.test.ts, where screens come slowly.
it('keeps to its policy on every screen', async () => {
  const screens = screenPaths({ project: 2, team: await teamOfOwner() });
  expect(screens.length).toBeGreaterThan(10);
  const { page, complaints, requests } = await browser.newPage({ locale: 'en' });
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  );
  for (const path of screens) {
    const from = complaints.length;
    // Nobody is half-way in: the second step asks for its question, is refused and says that it is over. Waited for, or the browser
    // would say so while the next screen is looked at.
    const isSecondStep = path === '/sign-in/second-step';
    const refused = isSecondStep ? page.waitForResponse((response) => response.status() === 401) : null;
    const answer = await page.goto(`${luneta.url}${path}`);
    await page.waitForLoadState('load');
    await refused;
    const status = answer?.status() ?? 0;
    if (isSecondStep) await eventually('the refusal is on the console', async () => complaints.length > from);
    // A link that was made up is answered 404, which the browser says on its console.
    const expected = isSecondStep ? '401' : '404';
    const said = complaints
      .slice(from)
      .filter((text) => !((status === 404 || isSecondStep) && text.includes(expected)));
    expect([path, said, status]).toEqual([path, [], /no-\w+/.test(path) ? status : 200]);
  }
  expect(requests.filter((each) => !each.split(' ')[1]?.startsWith(luneta.url) && !each.includes(' data:'))).toEqual(
    [],
  );
});

it('leaves nothing to see after signing out, not even by going back', async () => {
  const { page } = await browser.newPage({ locale: 'en' });
  await page.goto(`${luneta.url}/team/${await teamOfOwner()}/mail`);
  await page.getByRole('heading', { name: 'Email' }).waitFor();
  await page.getByRole('button', { name: 'Marina Duarte' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goBack();
  await page.waitForURL(/\/sign-in\?next=/);
  await page.waitForLoadState('load');
  expect(await page.content()).not.toContain('Marina Duarte');
});

describe('the build', () => {
  const files = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
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

  it('gives its source maps to nobody', async () => {
    const scripts = files.filter(({ parentPath, name }) => parentPath.endsWith('assets') && name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(10);
    for (const { parentPath, name } of scripts) {
      // As a comment: the replayer has code that reads the ones of recorded style sheets.
      expect([name, /\/\/[#@] ?sourceMappingURL=\S/.test(textOf(parentPath, name))]).toEqual([name, false]);
    }
    const answers = await Promise.all(
      scripts.slice(0, 20).map(async ({ name }) => (await fetch(`${luneta.url}/assets/${name}.map`)).status),
    );
    expect(new Set(answers)).toEqual(new Set([404]));
  });
});
