/** Reports over HTTP and in the background: sent once by two processes, to members and to addresses that agreed; rights, links, what is hidden. */
import request from 'supertest';
import { fixedClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { createStopper } from '#src/kit/stop.ts';
import { createParts } from '#src/parts.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Yesterday at noon, since sessions end by the clock of the system; reports at 8:00 UTC are due in 20 hours. */
const start = Math.floor(Date.now() / DAY) * DAY - DAY / 2;
const clock = fixedClock(start);
const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database, {}, { clock });

let people: Record<'viewer' | 'member' | 'stranger', Person>;

beforeAll(async () => {
  people = await joinEach(whole, ['viewer', 'member']);
  await database.query("update users set language = 'pt-BR', time_zone = 'UTC'");
});

async function call(type: 'query' | 'mutation', as: Person, name: string, input: object) {
  const answer = await callsOf(whole)[type](as.cookie, name, { project: String(whole.project), ...input });
  if (answer.status === 200) return answer.body.result.data.json;
  return [answer.status, answer.body.error.json.data.field ?? answer.body.error.json.data.appCode];
}
const get = (as: Person, name: string, input: object = {}) => call('query', as, `reports.${name}`, input);
const change = (as: Person, name: string, input: object) => call('mutation', as, `reports.${name}`, input);

const schedule = { frequency: 'daily', hour: 8 };
const summary = { subject: { kind: 'summary' }, schedule };
const self = (person: Person) => [{ kind: 'member', account: person.id }];
const address = { kind: 'address', address: 'boss@client.example', language: 'en', timeZone: 'UTC' };

const mails = (kind: string) =>
  database.query<{ id: string; to_address: string; subject: string; team_id: number | null }>(
    `select id, to_address, subject, team_id from mails where kind = '${kind}' order by id`,
  );
const projectOf = async (id: number) => {
  const project = await whole.parts.rooms.projects.get(id as never);
  return project && { ...project, seesPersons: true };
};
const work = (rooms = whole.parts.rooms) => rooms.reports.work(projectOf);

/** The address of the link in the last mail of a kind. */
async function linkOf(kind: string): Promise<string> {
  const [mail] = (await mails(kind)).slice(-1);
  const written =
    kind === 'report'
      ? await whole.parts.rooms.mail.copy({ team: whole.team as never, role: 'owner', all: true }, mail?.id ?? '')
      : {
          text: await whole.parts.rooms.mail.link(
            { team: whole.team as never, role: 'owner', all: true },
            mail?.id ?? '',
          ),
        };
  return /\/reports\/[\w-]{32}/.exec(written.text)?.[0] ?? '';
}

it('sends what is due once to each, though two processes work at the same time', async () => {
  const made = await change(people.member, 'create', {
    ...summary,
    recipients: [...self(people.member), ...self(people.viewer)],
  });
  expect(made).toMatchObject({ nextDue: start + 20 * HOUR, lastSent: null, active: true });
  expect(await get(people.stranger, 'list')).toEqual([404, 'not_found']);
  await work();
  expect(await mails('report')).toEqual([]);
  clock.advance(20 * HOUR);
  const stopper = createStopper(createLog('silent'));
  const second = await createParts(whole.config, createLog('silent'), stopper, { clock });
  try {
    await Promise.all([work(), work(second.rooms), work(), work(second.rooms)]);
    await Promise.all([work(), work(second.rooms)]);
  } finally {
    await second.rooms.live.stop();
    await stopper.stop();
  }
  const sent = await mails('report');
  expect(sent.map(({ to_address }) => to_address).sort()).toEqual([people.member.email, people.viewer.email].sort());
  expect(sent[0]).toMatchObject({ team_id: whole.team });
  expect(sent[0]?.subject).toMatch(/: (?:dom|seg|ter|qua|qui|sex|sáb) \d+.[a-z]{3}$/);
  const { sends } = await get(people.member, 'get', { report: made.id });
  expect(sends.map(({ state, mail, manual }: object & Record<string, unknown>) => ({ state, mail, manual }))).toEqual(
    Array(2).fill({ state: 'sent', mail: 'outbox', manual: false }),
  );
  // A viewer knows of no other recipient.
  const seen = await get(people.viewer, 'get', { report: made.id });
  expect(seen.recipients).toHaveLength(1);
  expect(seen.sends).toHaveLength(1);

  // Off for three days: what is too old is skipped, and said so.
  clock.advance(2 * DAY + 18 * HOUR);
  await work();
  const later = await get(people.member, 'get', { report: made.id });
  expect(later.sends.filter(({ state }: { state: string }) => state === 'skipped')).toHaveLength(4);
  expect(later.sends[0]).toMatchObject({ state: 'skipped', problem: 'late' });
  expect(await mails('report')).toHaveLength(2);

  // One click in a mail program, from elsewhere and with any body.
  const link = await linkOf('report');
  const page = await request(whole.app).get(link).expect(200);
  expect(page.text).toContain('Não receber mais');
  expect(page.headers['set-cookie']).toBeUndefined();
  await request(whole.app)
    .post(link)
    .set('Sec-Fetch-Site', 'cross-site')
    .field('List-Unsubscribe', 'One-Click')
    .expect(200);
  clock.advance(14 * HOUR);
  await work();
  expect(await mails('report')).toHaveLength(3);
  await change(people.member, 'remove', { report: made.id });
  expect(await database.query('select from report_sends')).toEqual([]);
});

it('sends nothing to an address before its owner has agreed, and nothing after they ended it', async () => {
  await database.query('delete from mails');
  const made = await change(people.member, 'create', { ...summary, recipients: [address] });
  expect(made.recipients).toMatchObject([{ state: 'unconfirmed', nextDue: null }]);
  expect(await mails('reportConfirm')).toMatchObject([{ to_address: 'boss@client.example', team_id: null }]);
  clock.advance(DAY);
  await work();
  expect(await mails('report')).toEqual([]);
  const link = await linkOf('reportConfirm');
  // Looking at the page changes nothing: programs open links by themselves.
  expect((await request(whole.app).get(link).expect(200)).text).toContain('Do you want this report?');
  await request(whole.app).post(link).expect(400);
  expect((await get(people.member, 'get', { report: made.id })).recipients).toMatchObject([{ state: 'unconfirmed' }]);
  await request(whole.app).post(link).type('form').send({ action: 'confirm' }).expect(200);
  await request(whole.app).get(link).expect(404);
  clock.advance(DAY);
  await work();
  expect((await mails('report')).map(({ to_address }) => to_address)).toEqual(['boss@client.example']);
  const [stored] = await database.query<{ token_hash: string }>('select token_hash from report_sends');
  const unsubscribe = await linkOf('report');
  expect(unsubscribe).not.toContain(stored?.token_hash);
  await request(whole.app).post(unsubscribe).expect(200);
  // Others cannot subscribe it again, and it is not asked twice.
  const again = await change(people.member, 'update', { report: made.id, recipients: [] });
  expect(again.recipients).toMatchObject([{ state: 'unsubscribed' }]);
  await change(people.member, 'update', { report: made.id, recipients: [address] });
  clock.advance(DAY);
  await work();
  expect(await mails('report')).toHaveLength(1);
  expect(await mails('reportConfirm')).toHaveLength(1);
  await request(whole.app)
    .get(`/reports/${'x'.repeat(32)}`)
    .expect(404);
  await change(people.member, 'remove', { report: made.id });
});

it('lets viewers subscribe themselves, and nobody else', async () => {
  const own = await change(people.viewer, 'create', { ...summary, recipients: self(people.viewer) });
  expect(own.recipients).toMatchObject([{ account: people.viewer.id, state: 'active' }]);
  expect(await change(people.viewer, 'create', { ...summary, recipients: [address] })).toEqual([403, 'forbidden']);
  expect(await change(people.viewer, 'create', { ...summary, recipients: self(people.member) })).toEqual([
    403,
    'forbidden',
  ]);
  expect(await change(people.viewer, 'update', { report: own.id, recipients: [address] })).toEqual([403, 'forbidden']);
  const other = await change(people.member, 'create', { ...summary, recipients: self(people.member) });
  expect(await get(people.viewer, 'get', { report: other.id })).toEqual([404, 'not_found']);
  expect(await change(people.viewer, 'remove', { report: other.id })).toEqual([404, 'not_found']);
  expect(await get(people.viewer, 'list')).toHaveLength(1);
  expect(await get(people.viewer, 'own')).toMatchObject([
    { report: own.id, active: true, project: { id: whole.project } },
  ]);
  await change(people.viewer, 'setOwn', { report: own.id, active: false });
  expect(await get(people.viewer, 'own')).toMatchObject([{ active: false, nextDue: null }]);
  for (const { id } of [own, other]) await change(people.member, 'remove', { report: id });
});

it('tells nothing about persons to viewers and outside addresses', async () => {
  const filters = { match: 'all', of: [{ about: 'person', name: 'plan', operator: 'equals', values: ['pro'] }] };
  const tiles = [{ id: 'visits', kind: 'metric', metric: 'visits', width: 3, height: 1 }];
  const dashboard = await call('mutation', people.member, 'dashboards.create', {
    name: 'Pro',
    content: { tiles, filters },
  });
  const subject = { kind: 'dashboard', id: dashboard.id };
  const asked = { subject, schedule };
  expect(await change(people.viewer, 'create', { ...asked, recipients: self(people.viewer) })).toEqual([
    404,
    'not_found',
  ]);
  expect(await change(people.member, 'create', { ...asked, recipients: [address] })).toEqual([409, 'recipients']);
  const made = await change(people.member, 'create', { ...asked, recipients: self(people.member) });
  await database.query('delete from mails');
  expect(await change(people.member, 'sendNow', { report: made.id })).toEqual({ recipients: 1 });
  const [sent] = await mails('report');
  expect(sent?.subject).toMatch(/^Pro · /);
  // Who may not see persons any more gets it no more, also by a schedule from before.
  await database.query(`update members set role = 'viewer' where user_id = ${people.member.id}`);
  clock.advance(DAY);
  await work();
  await database.query(`update members set role = 'member' where user_id = ${people.member.id}`);
  const { sends, active } = await get(people.member, 'get', { report: made.id });
  expect(sends[0]).toMatchObject({ state: 'failed', problem: 'gone', mail: null });
  expect(active).toBe(true);
  // It is turned off when it is gone for everyone.
  await call('mutation', people.member, 'dashboards.remove', { dashboard: dashboard.id });
  clock.advance(DAY);
  await work();
  expect(await get(people.member, 'get', { report: made.id })).toMatchObject({
    active: false,
    problem: 'gone',
    name: null,
  });
  expect(await change(people.member, 'sendNow', { report: made.id })).toEqual([404, 'not_found']);
  await change(people.member, 'remove', { report: made.id });
});

it('shows a preview by the same code, within a frame of our own only', async () => {
  const input = JSON.stringify({
    subject: { kind: 'summary' },
    schedule: { frequency: 'weekly', weekday: 1, hour: 8 },
  });
  const path = `/project/${whole.project}/reports/preview?input=${encodeURIComponent(input)}`;
  const { text, headers } = await request(whole.app).get(path).set('Cookie', people.viewer.cookie).expect(200);
  expect(text).toContain('Toda segunda-feira às 08:00');
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'self'/);
  await request(whole.app).get(path).expect(401);
});

it('limits recipients, reports and sends by hand', async () => {
  const many = Array.from({ length: 51 }, (_, at) => ({ ...address, address: `n${at}@client.example` }));
  expect(await change(people.member, 'create', { ...summary, recipients: many })).toEqual([400, 'recipients']);
  expect(await change(people.member, 'create', { ...summary, recipients: many.slice(0, 11) })).toEqual([
    429,
    'rate_limited',
  ]);
  const made = await change(people.member, 'create', { ...summary, recipients: self(people.member) });
  for (let n = 0; n < 3; n += 1) {
    clock.advance(1000);
    expect(await change(people.member, 'sendNow', { report: made.id })).toEqual({ recipients: 1 });
  }
  expect(await change(people.member, 'sendNow', { report: made.id })).toEqual([429, 'rate_limited']);
  const stale = { report: made.id, revision: made.revision, active: false };
  await change(people.member, 'update', stale);
  expect(await change(people.member, 'update', stale)).toEqual([409, 'revision']);
  await whole.parts.rooms.reports.tidy();
});
