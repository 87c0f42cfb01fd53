import request, { type Response } from 'supertest';
import { createLimits, type Limits, networkOf } from '#src/limits/limits.ts';
import { useDatabase } from '#test/kit/database.ts';
import { type TestDeps, testDeps } from '#test/kit/deps.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase();
let deps: TestDeps;
let limits: Limits;

beforeEach(() => {
  deps = testDeps(database.url);
  limits = createLimits(deps);
});
afterEach(() => deps.close());

/** How many of `count` attempts pass, and the refusal of the first that does not. */
async function attempts(count: number, attempt: (n: number) => Promise<unknown>) {
  let passed = 0;
  let refusal: { code?: string; retryAfterSec?: number } | null = null;
  for (let n = 0; n < count; n++) {
    try {
      await attempt(n);
      passed += 1;
    } catch (error) {
      refusal ??= error as { code: string };
    }
  }
  return { passed, refusal };
}

describe('signing in', () => {
  it('is refused from the 6th attempt on one account, from wherever', async () => {
    const { passed, refusal } = await attempts(20, (n) => limits.signIn('Marina@Example.com ', `203.0.113.${n}`));
    expect(passed).toBe(5);
    expect(refusal).toMatchObject({ code: 'rate_limited' });
    expect(refusal?.retryAfterSec).toBeGreaterThan(890);
    expect(refusal?.retryAfterSec).toBeLessThanOrEqual(900);
    await expect(limits.signIn('marina@example.com', '198.51.100.1')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(limits.signIn('rafael@example.com', '198.51.100.1')).resolves.toBeDefined();
  });

  it('is refused from the 31st attempt of one client, on whichever account', async () => {
    const { passed } = await attempts(40, (n) => limits.signIn(`n${n}@example.com`, '203.0.113.7'));
    expect(passed).toBe(30);
    await expect(limits.signIn('a@example.com', '::ffff:203.0.113.7')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(limits.signIn('a@example.com', '203.0.113.8')).resolves.toBeDefined();
  });

  it('counts a house full of IPv6 addresses as one client', async () => {
    const { passed } = await attempts(40, (n) => limits.signIn(`n${n}@example.com`, `2001:db8:1:2::${n.toString(16)}`));
    expect(passed).toBe(30);
    await expect(limits.signIn('a@example.com', '2001:db8:1:3::1')).resolves.toBeDefined();
  });

  it('counts an address as one however it is written', async () => {
    const ways = ['josé@example.com', 'jose\u0301@example.com', 'JOSÉ@example.com', ' JOSE\u0301@example.com'];
    const { passed } = await attempts(8, (n) => limits.signIn(ways[n % 4] as string, '203.0.113.7'));
    expect(passed).toBe(5);
  });

  it('lets exactly five of twenty through that come at the same time', async () => {
    const others = [createLimits(deps), createLimits(deps)];
    const all = Array.from({ length: 20 }, (_, n) =>
      (others[n % 2] as Limits).signIn('marina@example.com', `203.0.113.${n}`),
    );
    const results = await Promise.allSettled(all);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('forgets the mistakes before a success', async () => {
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 3; n++) await limits.signIn('marina@example.com', '203.0.113.7');
      const attempt = await limits.signIn('marina@example.com', '203.0.113.7');
      await attempt.succeeded();
    }
    const { passed } = await attempts(10, () => limits.signIn('marina@example.com', '203.0.113.7'));
    expect(passed).toBe(5);
  });

  it('stays refused after a restart, until the time is over', async () => {
    await attempts(6, () => limits.signIn('marina@example.com', '203.0.113.7'));
    const restarted = createLimits(deps);
    await expect(restarted.signIn('marina@example.com', '198.51.100.1')).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await database.query('update rate_limits set expire = expire - 900000');
    await expect(restarted.signIn('marina@example.com', '198.51.100.1')).resolves.toBeDefined();
  });

  it('is still limited while the database is away', async () => {
    await deps.close();
    const { passed } = await attempts(10, () => limits.signIn('marina@example.com', '203.0.113.7'));
    expect(passed).toBe(5);
    deps = testDeps(database.url);
  });

  it('leaves no name in the table', async () => {
    await limits.signIn('marina@example.com', '203.0.113.7');
    await limits.mail('marina@example.com', '203.0.113.7');
    const text = JSON.stringify(await database.query('select * from rate_limits'));
    expect(text).toContain('sign-in-account:');
    expect(text).not.toMatch(/marina|203\.0\.113/);
  });
});

describe('mail', () => {
  it('goes to one mailbox three times an hour', async () => {
    const sent: boolean[] = [];
    for (let n = 0; n < 5; n++) sent.push(await limits.mail('Marina@example.com', `203.0.113.${n}`));
    expect(sent).toEqual([true, true, true, false, false]);
    expect(await limits.mail('rafael@example.com', '203.0.113.99')).toBe(true);
  });

  it('is asked for by one client ten times an hour', async () => {
    let sent = 0;
    for (let n = 0; n < 15; n++) if (await limits.mail(`n${n}@example.com`, '203.0.113.7')) sent += 1;
    expect(sent).toBe(10);
    expect(await limits.mail('n12@example.com', '203.0.113.8')).toBe(true);
  });
});

describe('calls', () => {
  it('are 300 a minute for a session, ten of one request counting as one', async () => {
    const { passed, refusal } = await attempts(310, () => limits.calls('session', 10));
    expect(passed).toBe(300);
    expect(refusal?.retryAfterSec).toBeLessThanOrEqual(60);
    await expect(limits.calls('other', 1)).resolves.toBeUndefined();
    const large = await attempts(40, () => limits.calls('third', 100));
    expect(large.passed).toBe(30);
  });

  it('that are heavy run twenty at once', () => {
    const done = Array.from({ length: 20 }, () => limits.heavy('session', 1));
    expect(() => limits.heavy('session', 1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(() => limits.heavy('other', 1)).not.toThrow();
    done[0]?.();
    done[0]?.();
    const again = limits.heavy('session', 1);
    expect(() => limits.heavy('session', 1)).toThrow();
    for (const giveBack of [...done, again]) giveBack();
    expect(() => limits.heavy('session', 30)).not.toThrow();
  });
});

it('counts requests with a key, and says how many are left', async () => {
  expect(await limits.rest('key')).toEqual({ ok: true, limit: 240, remaining: 239, resetSec: 60 });
  for (let n = 1; n < 240; n++) await limits.rest('key');
  expect(await limits.rest('key')).toMatchObject({ ok: false, limit: 240, remaining: 0 });
  expect(await limits.rest('other')).toMatchObject({ ok: true, remaining: 239 });
});

it('runs two exports of a project at once', () => {
  const done = limits.exporting(1);
  limits.exporting(1);
  expect(() => limits.exporting(1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  limits.exporting(2);
  done();
  limits.exporting(1);
});

it('counts callers without session and key by their network', async () => {
  const address = (n: number) => `2001:db8:1:2::${n.toString(16)}`;
  expect((await attempts(310, (n) => limits.calls(address(n), 1))).passed).toBe(300);
  await limits.rest(`from ${address(1)}`);
  expect((await limits.rest(`from ${address(2)}`)).remaining).toBe(238);
  expect((await limits.rest('from 2001:db8:1:3::1')).remaining).toBe(239);
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network));

describe('over HTTP', () => {
  const ofAll = useDatabase({ between: 'nothing' });
  const whole = useWholeApp(ofAll, {}, { limited: true });

  it('refuses too many calls with when to come again, in the words of calls', async () => {
    const call = () => request(whole.app).get('/api/trpc/mail.status').set('Cookie', whole.owner);
    let refused: Response | undefined;
    for (let n = 0; n <= 300 && refused === undefined; n++) {
      const answer = await call();
      if (answer.status !== 200) refused = answer;
    }
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.body.error.json.data).toMatchObject({ appCode: 'rate_limited', retryAfterSec: expect.any(Number) });
    // Files of the Overview are questions, too.
    const file = await request(whole.app)
      .get(`/project/${whole.project}/overview/goals.csv`)
      .set('Cookie', whole.owner);
    expect([file.status, Number(file.headers['retry-after']) > 0]).toEqual([429, true]);
    // Others are not held up.
    expect((await request(whole.app).get('/api/trpc/mail.status')).status).toBe(401);
  });
});
