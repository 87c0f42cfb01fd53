/** Codes of an app and recovery codes, over HTTP with a moved clock: on, asked for at sign-in, once each, off. */
import { generateSync } from 'otplib';
import { createSecondStep } from '#src/accounts/own/second-step.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { type Person, person, signedIn } from './person.ts';

const database = useDatabase({ between: 'nothing' });
const clock = fixedClock(Date.now());
const secret = 'a first secret of at least 32 characters';
const whole = useWholeApp(database, { AUTH_SECRET: secret }, { clock });

let owner: Person;
let key: string;
let recovery: string[];

const codeAt = (ms: number) => generateSync({ secret: key, epoch: Math.floor(ms / 1_000) });
/** Nobody waits for wrong tries of the test before. */
const forgetTries = () => database.query('delete from rate_limits');
const halfIn = async () => {
  const someone = person(whole.app);
  const answer = await someone.post('password', { email: OWNER.email, password: OWNER.password });
  expect(answer.body).toEqual({ secondStep: true });
  return someone;
};
const isIn = async (someone: Person) => (await someone.ask('get')).status === 200;

beforeAll(() => {
  owner = person(whole.app, whole.owner);
});
beforeEach(forgetTries);
afterEach(() => clock.advance(60_000));

it('is on only once a first code was right', async () => {
  const begun = await owner.call('beginCodes');
  key = begun.data.secret.replaceAll(' ', '');
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  expect(begun.data.uri).toContain(`otpauth://totp/Luneta:${encodeURIComponent(OWNER.email)}?secret=${key}`);
  expect(begun.data.path).toMatch(/^(M\d+ \d+h\d+v1H\d+z)+$/);

  const wrong = await owner.call('confirmCodes', { code: '000000' });
  expect(wrong).toMatchObject({ status: 400, error: { appCode: 'invalid', field: 'code' } });
  expect((await owner.ask('get')).data.hasCodes).toBe(false);
  expect(await isIn(await signedIn(whole.app))).toBe(true);

  const right = await owner.call('confirmCodes', { code: codeAt(clock.now()) });
  recovery = right.data;
  expect(recovery).toHaveLength(10);
  expect(new Set(recovery).size).toBe(10);
  expect((await owner.ask('get')).data).toMatchObject({ hasCodes: true, recoveryCodesLeft: 10 });
});

it('keeps the secret encrypted and recovery codes as hashes', async () => {
  const rows = await database.query<{ text: string }>(
    `select users::text as text from users union all select recovery_codes::text from recovery_codes
     union all select audit::text from audit union all select sess::text from sign_in_sessions`,
  );
  const stored = rows.map(({ text }) => text).join('\n');
  expect(stored).toContain(OWNER.email);
  expect(stored).not.toContain(key);
  for (const code of recovery) expect(stored).not.toContain(code);
});

it('asks for a code after the password, and signs in with it', async () => {
  const someone = await halfIn();
  const before = someone.cookie;
  expect(await isIn(someone)).toBe(false);
  expect((await someone.post('second-step', { code: '123 456' })).body.error).toMatchObject({ field: 'code' });
  expect(await isIn(someone)).toBe(false);
  const code = codeAt(clock.now());
  expect((await someone.post('second-step', { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200);
  expect(await isIn(someone)).toBe(true);
  expect(someone.cookie).not.toBe(before);
  expect(await isIn(person(whole.app, before))).toBe(false);
});

it('takes each code once, however many ask, and those of half a minute before and after', async () => {
  const code = codeAt(clock.now());
  const two = [await halfIn(), await halfIn()];
  const answers = await Promise.all(two.map((someone) => someone.post('second-step', { code })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const again = await halfIn();
  expect((await again.post('second-step', { code })).status).toBe(400);

  clock.advance(120_000);
  const tooOld = codeAt(clock.now() - 61_000);
  expect((await (await halfIn()).post('second-step', { code: tooOld })).status).toBe(400);
  expect((await (await halfIn()).post('second-step', { code: codeAt(clock.now() - 30_000) })).status).toBe(200);
  expect((await (await halfIn()).post('second-step', { code: codeAt(clock.now() + 30_000) })).status).toBe(200);
  // A later one was taken: those before are over.
  expect((await (await halfIn()).post('second-step', { code: codeAt(clock.now()) })).status).toBe(400);
});

it('takes each recovery code once, however it is written', async () => {
  const [first = '', second = ''] = recovery;
  expect((await (await halfIn()).post('second-step', { code: first })).status).toBe(200);
  expect((await (await halfIn()).post('second-step', { code: first })).status).toBe(400);
  const typed = second.replaceAll('-', ' ').toUpperCase();
  expect((await (await halfIn()).post('second-step', { code: typed })).status).toBe(200);
  expect((await owner.ask('get')).data.recoveryCodesLeft).toBe(8);
});

it('limits guesses', async () => {
  const someone = await halfIn();
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    statuses.push((await someone.post('second-step', { code: String(100_000 + index) })).status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  const refused = await someone.post('second-step', { code: codeAt(clock.now()) });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

it('forgets a first step that is ten minutes old', async () => {
  const someone = await halfIn();
  clock.advance(10 * 60_000 + 1);
  expect((await someone.post('second-step', { code: codeAt(clock.now()) })).status).toBe(401);
  expect((await person(whole.app).post('second-step', { code: codeAt(clock.now()) })).status).toBe(401);
});

it('reads secrets that were written with the secret before', async () => {
  const [row] = await database.query<{ id: number }>('select id from users');
  const check = async (config: { AUTH_SECRET: string; AUTH_SECRET_PREVIOUS?: string }) => {
    clock.advance(60_000);
    const deps = testDeps(database.url, { config, clock });
    const { audit } = whole.parts.rooms.accounts;
    const { limits } = whole.parts.rooms;
    const rotated = createSecondStep(deps, { secrets: createSecrets(deps), limits, audit });
    const outcome = rotated.check(row?.id ?? 0, codeAt(clock.now()), '203.0.113.9');
    return outcome
      .then(
        () => 'right',
        (error) => error.code,
      )
      .finally(() => deps.close());
  };
  const next = 'a second secret of at least 32 characters';
  expect(await check({ AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: secret })).toBe('right');
  expect(await check({ AUTH_SECRET: next })).toBe('conflict');
});

it('needs a recent proof to be turned off or to make new recovery codes', async () => {
  const [left = ''] = recovery.slice(2);
  for (const path of ['turnCodesOff', 'renewRecoveryCodes']) {
    expect(await owner.call(path)).toMatchObject({ status: 403, error: { appCode: 'forbidden', field: 'proof' } });
  }
  const wrong = await owner.post('prove', { password: 'not the password' });
  expect(wrong.body.error).toMatchObject({ code: 'invalid', field: 'password' });
  expect((await owner.call('turnCodesOff')).status).toBe(403);

  expect((await owner.post('prove', { password: OWNER.password })).status).toBe(200);
  const renewed = (await owner.call('renewRecoveryCodes')).data as string[];
  expect(renewed).toHaveLength(10);
  expect((await (await halfIn()).post('second-step', { code: left })).status).toBe(400);

  expect((await owner.call('turnCodesOff')).status).toBe(200);
  expect((await owner.ask('get')).data).toMatchObject({ hasCodes: false, recoveryCodesLeft: 0 });
  expect(await isIn(await signedIn(whole.app))).toBe(true);
});
