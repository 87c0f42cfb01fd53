/** Files for containers, platforms and systemd agree with the program: flags, settings, user, health check. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import request from 'supertest';
import { loadConfig, settingNames } from '#src/config.ts';
import { bareExpress } from '#src/web/bare-express.ts';
import { createHealth } from '#src/web/health.ts';
import { commandOf, readDockerfile, variablesOf } from './dockerfile.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(`${root}/${name}`, 'utf8');
const known = new Set(settingNames);
const [, web = ''] = /^web: (.*)$/m.exec(read('Procfile')) ?? [];
const flags = web.split(/\s+/).filter((word) => word.startsWith('--'));
const stages = readDockerfile(read('Dockerfile'));
const final = stages.at(-1);
const texts = (name: string) =>
  (final?.instructions ?? []).filter((each) => each.name === name).map(({ text }) => text);

describe('the Dockerfile', () => {
  it('runs the server as the Procfile does, without rights', () => {
    expect(commandOf(texts('CMD')[0] as string)).toEqual(['node', ...flags, 'dist/main.js']);
    expect(texts('USER')).toEqual(['node']);
    const [majorInUse] = /\d+/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
    expect(stages.map(({ base }) => base)).toEqual([
      `node:${majorInUse}-bookworm-slim`,
      `node:${majorInUse}-bookworm-slim`,
    ]);
  });

  it('sets only what there is, and keeps the spool on its volume', () => {
    const env = Object.assign({}, ...texts('ENV').map(variablesOf)) as Record<string, string>;
    const { MALLOC_MMAP_THRESHOLD_: threshold, ...settings } = env;
    expect(web).toContain(`MALLOC_MMAP_THRESHOLD_=${threshold} `);
    expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([]);
    expect(env['SPOOL_DIR']?.startsWith(`${texts('VOLUME')[0]}/`)).toBe(true);
  });

  it('runs commands that exist', () => {
    const scripts = JSON.parse(read('package.json')).scripts as Record<string, string>;
    const runs = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'RUN'));
    const named = runs.flatMap(({ text }) =>
      [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string),
    );
    expect(named).toEqual(['build']);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(read('build.bundle.mjs')).toContain(`src/${texts('CMD')[0]?.match(/dist\/(\w+)\.js/)?.[1]}.ts`);
  });

  it('copies into the last stage only what the first has made', () => {
    const copies = final?.instructions.filter(({ name }) => name === 'COPY') ?? [];
    expect(copies.map(({ flags: { from } }) => from)).toEqual(copies.map(() => stages[0]?.name));
    expect(copies.map(({ text }) => text.split(' ')[0])).toEqual([
      '/app/package.json',
      '/app/node_modules',
      '/app/dist',
    ]);
  });

  it('asks for a health check that answers', async () => {
    const [, path = ''] = /127\.0\.0\.1:\$\{process\.env\.PORT\}([\w/]+)`/.exec(texts('HEALTHCHECK')[0] ?? '') ?? [];
    const app = bareExpress({ TRUST_PROXY: 0 }).use(createHealth().routes);
    await request(app).get(path).expect(200);
  });

  it('copies only what exists, and neither settings nor data into the build', () => {
    const context =
      stages[0]?.instructions
        .filter(({ name }) => name === 'COPY')
        .flatMap(({ text }) => text.split(' ').slice(0, -1)) ?? [];
    for (const name of context) expect(existsSync(`${root}/${name}`)).toBe(true);
    const [first, ...kept] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(kept.every((line) => line.startsWith('!'))).toBe(true);
    expect(kept.join('\n')).not.toMatch(/env|luneta|\.git|node_modules|dist/);
  });
});

/** Read by PostgreSQL, its driver, Node or the C library. */
const foreign = /^(POSTGRES_\w+|PGSSLMODE|CMD|NODE_ENV|MALLOC_MMAP_THRESHOLD_)$/;

it.each(['compose.yaml', 'app.json', 'docs/deploy/luneta.service'])('%s names only settings that there are', (name) => {
  const pattern = name === 'app.json' ? /"([A-Z][A-Z_]+)": \{/g : /\b([A-Z][A-Z_]{3,})[:=]/g;
  const named = [...read(name).matchAll(pattern)].map(([, setting]) => setting as string);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((setting) => !known.has(setting) && !foreign.test(setting))).toEqual([]);
});

it('composes with all settings that are required, and with no secret of its own', () => {
  const compose = read('compose.yaml');
  const shared = compose.match(/&environment\n((?: {6}.*\n)+)/)?.[1] ?? '';
  expect([...shared.matchAll(/^ +([A-Z_]+):/gm)].map(([, name]) => name)).toEqual(requiredAnd('AUTH_SECRET'));
  const secrets = compose.match(/\$\{(POSTGRES_PASSWORD|AUTH_SECRET)[^}]*\}/g) ?? [];
  expect(secrets.length).toBeGreaterThan(2);
  // Asked for, never supplied.
  expect(secrets.filter((text) => !text.includes(':?'))).toEqual([]);
});

it('describes an app that asks for what is required, and whose first check answers', async () => {
  const { env, addons, healthchecks } = JSON.parse(read('app.json'));
  // Adding the database sets its address.
  expect(addons).toEqual([{ plan: 'heroku-postgresql' }]);
  expect(['DATABASE_URL', ...Object.keys(env)]).toEqual(expect.arrayContaining(requiredAnd('AUTH_SECRET')));
  expect(env.PUBLIC_APP_URL.required).toBe(true);
  expect(env.AUTH_SECRET).toMatchObject({ generator: 'secret' });
  expect(web).toContain(`TRUST_PROXY:-${env.TRUST_PROXY.value}}`);
  const health = createHealth();
  health.ready();
  for (const { path } of healthchecks.web)
    await request(bareExpress({ TRUST_PROXY: 0 }).use(health.routes))
      .get(path)
      .expect(200);
});

/** What does not start without, and more. */
function requiredAnd(...more: string[]): string[] {
  try {
    loadConfig({}, { fatal: () => undefined });
  } catch (error) {
    return [...(error as { problems: { name: string }[] }).problems.map(({ name }) => name), ...more];
  }
  throw new Error('Nothing is required.');
}

it('starts the server by systemd as the Procfile does', () => {
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(read('docs/deploy/luneta.service')) ?? [];
  expect(command.split(' ')).toEqual(['/usr/bin/node', ...flags, 'dist/main.js']);
});
