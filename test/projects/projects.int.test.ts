import { createOwnProject } from '#src/parts.ts';
import { createProjects, type Projects } from '#src/projects/projects.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { until } from '#test/kit/until.ts';

const database = useDatabase();
let deps: TestDeps;
let projects: Projects;

beforeEach(() => {
  deps = testDeps(database.url);
  projects = createProjects(deps);
});
afterEach(() => deps.close());

const store = { PUBLIC_POSTHOG_KEY: undefined, PUBLIC_POSTHOG_HOST: undefined, INGEST_MODE: 'store' } as const;

describe('the built-in project', () => {
  it('is made once, however many processes ask', async () => {
    const others = [createProjects(deps), createProjects(deps), createProjects(deps)];
    const made = await Promise.all([projects, ...others].map((each) => each.ensureBuiltIn(store)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[0]).toMatchObject({ name: 'Luneta', builtIn: true, weekStart: 1, outsideEventAt: null });
    expect(made[0]?.token).toMatch(/^lnt_[0-9A-Za-z]{32}$/);
    expect(await projects.list()).toHaveLength(1);
  });

  it('accepts PUBLIC_POSTHOG_KEY too, and still shows its own token', async () => {
    const key = 'phc_existing';
    const { id, token } = await projects.ensureBuiltIn(store);
    const again = await projects.ensureBuiltIn({ ...store, PUBLIC_POSTHOG_KEY: key });
    expect(again).toMatchObject({ id, token, tokens: [token, key] });
    expect((await projects.byToken(key))?.id).toBe(id);
    expect(await projects.ensureBuiltIn({ ...store, PUBLIC_POSTHOG_KEY: key })).toMatchObject({ tokens: [token, key] });
  });

  it('does not take the key while events are relayed, nor one of another project', async () => {
    const relayed = { ...store, PUBLIC_POSTHOG_KEY: 'phc_up', PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com' };
    expect((await projects.ensureBuiltIn(relayed)).tokens).toHaveLength(1);
    const shop = await projects.create({ name: 'Shop', timeZone: 'UTC', extraToken: 'phc_shop' });
    expect((await projects.ensureBuiltIn({ ...store, PUBLIC_POSTHOG_KEY: 'phc_shop' })).tokens).toHaveLength(1);
    expect((await projects.byToken('phc_shop'))?.id).toBe(shop.id);
  });

  it('takes the key of a mirror, which stores as well', async () => {
    const mirror = { PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com', INGEST_MODE: 'mirror' } as const;
    expect((await projects.ensureBuiltIn({ ...mirror, PUBLIC_POSTHOG_KEY: 'phc_up' })).tokens).toContain('phc_up');
  });
});

describe('projects', () => {
  it('are found by number, by token, and not otherwise', async () => {
    const shop = await projects.create({
      name: 'Café',
      timeZone: 'America/Sao_Paulo',
      settings: { cookieless: false },
    });
    expect(shop).toMatchObject({ name: 'Café', timeZone: 'America/Sao_Paulo', builtIn: false });
    expect(shop.settings).toMatchObject({ cookieless: false, autocapture: true, retentionDays: null });
    for (const ref of [String(shop.id), shop.token]) expect((await projects.byRef(ref))?.id).toBe(shop.id);
    for (const ref of ['999', 'lnt_nothing', '0', '-1', "' or 1=1"]) expect(await projects.byRef(ref)).toBeNull();
    expect(await projects.get(shop.id)).toEqual(shop);
  });

  it('come with the built-in one first', async () => {
    await projects.create({ name: 'A', timeZone: 'UTC' });
    await projects.ensureBuiltIn(store);
    expect((await projects.list()).map(({ name }) => name)).toEqual(['Luneta', 'A']);
  });

  it('are refused with a zone that does not exist or a token that is taken', async () => {
    await expect(projects.create({ name: 'A', timeZone: 'Mars/Base' })).rejects.toMatchObject({ code: 'invalid' });
    await projects.create({ name: 'A', timeZone: 'UTC', extraToken: 'phc_1' });
    const second = projects.create({ name: 'B', timeZone: 'UTC', extraToken: 'phc_1' });
    await expect(second).rejects.toMatchObject({ code: 'conflict' });
    expect(await projects.list()).toHaveLength(1);
  });

  it('remember the first event from outside', async () => {
    const { id } = await projects.create({ name: 'A', timeZone: 'UTC' });
    await projects.noteOutsideEvent(id, 5_000);
    await createProjects(deps).noteOutsideEvent(id, 9_000);
    expect((await projects.get(id))?.outsideEventAt).toBe(5_000);
  });
});

describe('a replaced token', () => {
  it('is accepted for its time, and the new one is shown from the start', async () => {
    const { id, token: old } = await projects.create({ name: 'A', timeZone: 'UTC', extraToken: 'lnt_elsewhere' });
    await projects.addToken(id, 'phc_added');
    const [current] = await projects.rotateToken(id, 1);
    expect(await projects.get(id)).toMatchObject({ token: current?.token });
    expect((await projects.byToken(old))?.id).toBe(id);
    deps.clock.advance(3_600_001);
    expect(await projects.byToken(old)).toBeNull();
    expect((await projects.byToken('phc_added'))?.token).toBe(current?.token);
    expect((await projects.tokens(id)).map(({ kind }) => kind)).toEqual(['current', 'added', 'added']);
  });
});

describe('look-ups by token', () => {
  it('are remembered for half a minute', async () => {
    const { id, token } = await projects.create({ name: 'A', timeZone: 'UTC' });
    expect((await projects.byToken(token))?.name).toBe('A');
    expect(await projects.byToken('lnt_new')).toBeNull();
    await database.query(`update projects set name = 'B'`);
    await database.query(`insert into project_tokens values ('lnt_new', $1, null, to_timestamp(0))`, [id]);
    expect((await projects.byToken(token))?.name).toBe('A');
    expect(await projects.byToken('lnt_new')).toBeNull();
    expect([projects.known(token)?.name, projects.known('lnt_new'), projects.known('lnt_other')]).toEqual([
      'A',
      null,
      undefined,
    ]);
    deps.clock.advance(30_001);
    expect([projects.known(token), projects.known('lnt_new')]).toEqual([undefined, undefined]);
    expect((await projects.byToken(token))?.name).toBe('B');
    expect((await projects.byToken('lnt_new'))?.name).toBe('B');
  });

  it('end when the token does', async () => {
    const { token } = await projects.create({ name: 'A', timeZone: 'UTC' });
    await database.query('update project_tokens set accepted_until = $1', [new Date(deps.clock.now() + 60_000)]);
    expect(await projects.byToken(token)).not.toBeNull();
    deps.clock.advance(60_001);
    expect(await projects.byToken(token)).toBeNull();
  });

  it('survive a database that is away, but invent nothing', async () => {
    const { token } = await projects.create({ name: 'A', timeZone: 'UTC' });
    await projects.byToken(token);
    await projects.byToken('lnt_unknown');
    const write = { query: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })) };
    const away = createProjects({ ...deps, write: write as never });
    await expect(away.byToken(token)).rejects.toMatchObject({ code: 'unavailable', retryAfterSec: 5 });

    const original = deps.write.query;
    deps.write.query = write.query as never;
    deps.clock.advance(40_000);
    expect((await projects.byToken(token))?.name).toBe('A');
    await expect(projects.byToken('lnt_unknown')).rejects.toMatchObject({ code: 'unavailable' });
    deps.write.query = original;
    deps.clock.advance(1_001);
    expect(await projects.byToken('lnt_unknown')).toBeNull();
  });

  it('do not wait for a database that hangs while there is an old answer', async () => {
    const { token } = await projects.create({ name: 'A', timeZone: 'UTC' });
    await projects.byToken(token);
    await database.query(`update projects set name = 'B'`);
    const original = deps.write.query;
    const hung: (() => void)[] = [];
    deps.write.query = ((...asked: Parameters<typeof original>) =>
      new Promise<void>((resolve) => hung.push(resolve)).then(() => original.apply(deps.write, asked))) as never;
    deps.clock.advance(30_001);
    expect((await projects.byToken(token))?.name).toBe('A');
    expect((await projects.byToken(token))?.name).toBe('A');
    expect(hung).toHaveLength(1);
    deps.write.query = original;
    for (const go of hung) go();
    deps.clock.advance(1_001);
    await until(async () => (await projects.byToken(token))?.name !== 'A');
    expect((await projects.byToken(token))?.name).toBe('B');
  });
});

it('the own project is known at once, and a new token of it within half a minute', async () => {
  const own = createOwnProject(deps, projects);
  expect(own.get()).toBeNull();
  await own.prepare(deps.config);
  const { id, token } = own.get() ?? { id: null, token: '' };
  const [current] = await projects.rotateToken(id as never, 1);
  expect(own.get()?.token).toBe(token);
  deps.clock.advance(30_001);
  await until(() => own.get()?.token !== token);
  expect(own.get()?.token).toBe(current?.token);
});
