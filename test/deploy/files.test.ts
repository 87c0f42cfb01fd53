/** What containers, platforms and systemd are told agrees with the program: flags, settings, user, health check. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandOf, readDockerfile, variablesOf } from './dockerfile.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(`${root}/${name}`, 'utf8');
const documented = new Set([...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
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
    expect(Object.keys(settings).filter((name) => !documented.has(name))).toEqual([]);
    expect(env['SPOOL_DIR']?.startsWith(`${texts('VOLUME')[0]}/`)).toBe(true);
    expect(texts('HEALTHCHECK')[0]).toContain('/healthz');
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

it.each(['compose.yaml', 'app.json', 'docs/deploy/luneta.service'])(
  '%s names only settings that are documented',
  (name) => {
    const foreign = /^(POSTGRES_\w+|CMD|NODE_ENV|MALLOC_MMAP_THRESHOLD_)$/;
    const pattern = name === 'app.json' ? /"([A-Z][A-Z_]+)": \{/g : /\b([A-Z][A-Z_]{3,})[:=]/g;
    const named = [...read(name).matchAll(pattern)].map(([, setting]) => setting as string);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((setting) => !documented.has(setting) && !foreign.test(setting))).toEqual([]);
  },
);

it('starts the server by systemd as the Procfile does', () => {
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(read('docs/deploy/luneta.service')) ?? [];
  expect(command.split(' ')).toEqual(['/usr/bin/node', ...flags, 'dist/main.js']);
});
