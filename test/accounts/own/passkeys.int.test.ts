/** Passkeys over HTTP with a device in software: registered, named, removed; they sign in alone, complete a sign-in, and prove. */
import { generateSync } from 'otplib';
import { fixedClock } from '#src/kit/clock.ts';
import { Authenticator } from '#test/kit/authenticator.ts';
import { useDatabase } from '#test/kit/database.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { type Person, person } from './person.ts';

const database = useDatabase({ between: 'nothing' });
const clock = fixedClock(Date.now());
const whole = useWholeApp(database, {}, { clock });
const origin = 'http://localhost:3000';
const refusal = { appCode: 'invalid', field: 'passkey' };

let owner: Person;
let device: Authenticator;

beforeAll(() => {
  owner = person(whole.app, whole.owner);
  device = new Authenticator({ origin });
});
beforeEach(async () => {
  await database.query('delete from rate_limits');
  await owner.post('prove', { password: OWNER.password });
});
afterEach(() => clock.advance(60_000));

const toRegister = async () => (await owner.call('askForPasskey')).data.challenge as string;
const toSignIn = async (someone: Person) => (await someone.post('passkey/question')).body.question.challenge as string;

it('registers a device that knows its person, once', async () => {
  const question = (await owner.call('askForPasskey')).data;
  expect(question).toMatchObject({
    rp: { id: 'localhost', name: 'Luneta' },
    user: { name: OWNER.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  const answer = device.register(question.challenge);
  expect((await owner.call('addPasskey', { name: 'Notebook', answer })).status).toBe(200);
  expect((await owner.ask('get')).data.passkeys).toMatchObject([{ id: device.id, name: 'Notebook', usedAt: null }]);

  const again = await owner.call('addPasskey', { name: 'Copy', answer });
  expect(again).toMatchObject({ status: 400, error: refusal });
  const known = device.register(await toRegister());
  expect(await owner.call('addPasskey', { name: 'Twice', answer: known })).toMatchObject({ status: 409 });
  expect((await owner.call('askForPasskey')).data.excludeCredentials).toMatchObject([{ id: device.id }]);
});

it.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['of a device that asked nobody', { userVerified: false }],
])('refuses a registration %s', async (_, wrong) => {
  const answer = new Authenticator({ origin }).register(await toRegister(), wrong);
  expect(await owner.call('addPasskey', { name: 'Wrong', answer })).toMatchObject({ status: 400, error: refusal });
});

it('refuses answers to questions that are not ours, too old, or meant for something else', async () => {
  const challenges = [
    Buffer.alloc(54, 7).toString('base64url'),
    'c2hvcnQ',
    await toSignIn(person(whole.app)),
    (await owner.post('prove/question')).body.question.challenge,
  ];
  for (const challenge of challenges) {
    const answer = new Authenticator({ origin }).register(challenge);
    expect(await owner.call('addPasskey', { name: 'Wrong', answer })).toMatchObject({ status: 400, error: refusal });
  }
  const challenge = await toRegister();
  clock.advance(5 * 60_000 + 1);
  const late = new Authenticator({ origin }).register(challenge);
  expect(await owner.call('addPasskey', { name: 'Late', answer: late })).toMatchObject({ status: 400, error: refusal });
});

it('signs in alone, under a new session, each answer once', async () => {
  const someone = person(whole.app);
  const challenge = await toSignIn(someone);
  const answer = device.sign(challenge);
  const signedIn = await someone.post('passkey', { answer });
  expect(signedIn.status).toBe(200);
  const own = (await someone.ask('get')).data;
  expect(own.signIns.find((each: { isThis: boolean }) => each.isThis)).toMatchObject({ how: 'passkey' });
  expect(own.passkeys[0].usedAt).toBe(clock.now());

  const copy = person(whole.app);
  expect((await copy.post('passkey', { answer })).body.error).toMatchObject({ code: 'invalid', field: 'passkey' });
  expect(copy.cookie).toBe('');
});

it.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['of a device that asked nobody', { userVerified: false }],
  ['of a copy of the device, whose count stayed behind', { counter: 1 }],
])('refuses a sign-in %s', async (_, wrong) => {
  const someone = person(whole.app);
  const answer = device.sign(await toSignIn(someone), wrong);
  expect((await someone.post('passkey', { answer })).status).toBe(400);
  expect(someone.cookie).toBe('');
});

it('refuses another device that claims the name of ours', async () => {
  const someone = person(whole.app);
  const forged = { ...new Authenticator({ origin }).sign(await toSignIn(someone)), id: device.id, rawId: device.id };
  expect((await someone.post('passkey', { answer: forged })).status).toBe(400);
  const unknown = new Authenticator({ origin }).sign(await toSignIn(someone));
  expect((await someone.post('passkey', { answer: unknown })).status).toBe(400);
});

it('counts as both steps, and completes a sign-in whose second step is missing', async () => {
  const { secret } = (await owner.call('beginCodes')).data;
  const code = generateSync({ secret: secret.replaceAll(' ', ''), epoch: Math.floor(clock.now() / 1_000) });
  expect((await owner.call('confirmCodes', { code })).status).toBe(200);

  const alone = person(whole.app);
  expect((await alone.post('passkey', { answer: device.sign(await toSignIn(alone), { counter: 10 }) })).status).toBe(
    200,
  );

  const half = person(whole.app);
  await half.post('password', { email: OWNER.email, password: OWNER.password });
  const { question } = (await half.post('second-step/question')).body;
  expect(question.allowCredentials).toMatchObject([{ id: device.id }]);
  const done = await half.post('second-step/passkey', { answer: device.sign(question.challenge, { counter: 11 }) });
  expect(done.status).toBe(200);
  expect((await half.ask('get')).status).toBe(200);

  expect((await person(whole.app).post('second-step/question')).status).toBe(401);
  expect((await owner.call('turnCodesOff')).status).toBe(200);
});

it('proves who one is', async () => {
  clock.advance(11 * 60_000);
  expect(await owner.call('askForPasskey')).toMatchObject({ status: 403, error: { field: 'proof' } });
  const { question, hasPassword } = (await owner.post('prove/question')).body;
  expect(hasPassword).toBe(true);
  expect((await owner.post('prove', { answer: device.sign(question.challenge, { counter: 20 }) })).status).toBe(200);
  expect((await owner.call('askForPasskey')).status).toBe(200);
});

it('is renamed and removed by its owner, with a recent proof, and nothing else', async () => {
  expect((await owner.call('renamePasskey', { id: device.id, name: 'Old notebook' })).status).toBe(200);
  expect((await owner.ask('get')).data.passkeys).toMatchObject([{ name: 'Old notebook' }]);
  expect((await owner.call('renamePasskey', { id: 'unknown', name: 'x' })).status).toBe(404);
  clock.advance(11 * 60_000);
  expect(await owner.call('removePasskey', { id: device.id })).toMatchObject({
    status: 403,
    error: { field: 'proof' },
  });
  await owner.post('prove', { password: OWNER.password });
  expect((await owner.call('removePasskey', { id: device.id })).status).toBe(200);
  expect((await owner.call('removePasskey', { id: device.id })).status).toBe(404);
  const someone = person(whole.app);
  expect(
    (await someone.post('passkey', { answer: device.sign(await toSignIn(someone), { counter: 30 }) })).status,
  ).toBe(400);
});

it('does not sign in whose account is disabled', async () => {
  const answer = device.register(await toRegister());
  expect((await owner.call('addPasskey', { name: 'Notebook', answer })).status).toBe(200);
  const someone = person(whole.app);
  const challenge = await toSignIn(someone);
  await database.query(`update users set disabled_at = '2026-01-01'`);
  expect((await someone.post('passkey', { answer: device.sign(challenge, { counter: 40 }) })).status).toBe(400);
  expect((await someone.post('password', { email: OWNER.email, password: OWNER.password })).status).toBe(400);
  expect((await owner.ask('get')).status).toBe(401);
});
