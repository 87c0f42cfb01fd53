/** Files of events over a whole application: who may fetch them, what is in them, and what becomes of one that cannot be finished. */
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { readXlsx } from 'hucre/xlsx';
import request from 'supertest';
import { uuidV7 } from '#src/kit/ids.ts';
import { asBuffer } from '#test/kit/buffer.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf, joinEach, type Person } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
let calls: ReturnType<typeof callsOf>;
let project: string;
let members: Record<'viewer' | 'member' | 'stranger', Person>;
const EVENTS = 2_345;
const sent: {
  uuid: string;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
  timestamp: string;
}[] = [];

beforeAll(async () => {
  calls = callsOf(whole);
  project = String(whole.project);
  members = await joinEach(whole, ['viewer', 'member']);
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    whole.project,
  ]);
  const at = Date.now() - 3_600_000;
  for (let index = 0; index < EVENTS; index++) {
    sent.push({
      ...{
        uuid: uuidV7(at + index),
        event: index % 5 === 0 ? 'order' : '$pageview',
        distinct_id: `person ${index % 7}`,
      },
      timestamp: new Date(at + Math.floor(index / 3)).toISOString(),
      properties: {
        ...{
          $session_id: uuidV7(at),
          $pathname: `/${index % 4}`,
          plan: index % 2 === 0 ? '=1+1' : 'a,"b"\n',
          price: 9.5 - index,
        },
        ...{ list: [1, { a: 'é' }], nested: { ['__proto__']: index } },
      },
    });
  }
  for (let from = 0; from < EVENTS; from += 500) {
    const batch = sent.slice(from, from + 500);
    await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  }
});

function file(cookie: string, query: string, of = project) {
  return request(whole.app)
    .get(`/project/${of}/events/export${query}`)
    .set('Cookie', cookie)
    .set('Sec-Fetch-Site', 'same-origin')
    .buffer()
    .parse(asBuffer);
}

/** As RFC 4180 has it. */
function table(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('sends whole events, newest first, as they were sent', async () => {
  const { body, headers } = await file(members.member.cookie, '?range=last_7_days&format=ndjson').expect(200);
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': 'attachment; filename="events.ndjson"',
    'cache-control': 'private, no-store',
  });
  const events = lines(String(body));
  expect(events).toHaveLength(EVENTS);
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort().reverse());
  const byUuid = new Map(events.map((event) => [event.uuid, event]));
  for (const event of sent) {
    const { $session_id: session } = event.properties;
    expect(byUuid.get(event.uuid)).toMatchObject({ ...event, session, marks: [] });
  }
  expect(new Set(events.map(({ person }) => person)).size).toBe(7);
  const first = await file(members.member.cookie, '?range=last_7_days&format=ndjson&name=order').expect(200);
  expect(lines(String(first.body))).toHaveLength(sent.filter(({ event }) => event === 'order').length);
});

it('sends chosen columns as a table that runs nothing in an office', async () => {
  const filters = { match: 'all', of: [{ about: 'event', name: '$pathname', operator: 'equals', values: ['/2'] }] };
  const columns = [
    'event',
    'id',
    'event.plan',
    'event.price',
    'event.list',
    'person.none',
    'event.$pathname',
    'session',
    'event.$session_id',
    'marks',
  ];
  const query = `?range=last_7_days&${columns.map((each) => `column=${encodeURIComponent(each)}`).join('&')}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
  const { body, headers } = await file(whole.owner, query).expect(200);
  expect(headers['content-disposition']).toBe('attachment; filename="events.csv"');
  const [head, ...rows] = table(String(body));
  expect(head).toEqual([
    'time',
    'uuid',
    'event',
    'distinct_id',
    'plan',
    'price',
    'list',
    'person.none',
    '$pathname',
    'session',
    '$session_id',
    'marks',
  ]);
  const expected = sent.filter(({ properties }) => properties['$pathname'] === '/2');
  const byUuid = new Map(rows.map((row) => [row[1], row]));
  expect(rows).toHaveLength(expected.length);
  for (const { uuid, event, distinct_id, timestamp, properties } of expected) {
    const session = String(properties['$session_id']);
    const plan = properties['plan'] === '=1+1' ? "'=1+1" : properties['plan'];
    const own = [
      timestamp,
      uuid,
      event,
      distinct_id,
      plan,
      String(properties['price']),
      '[1,{"a":"é"}]',
      '',
      '/2',
      session,
      session,
      '',
    ];
    expect(byUuid.get(uuid)).toEqual(own);
  }
});

it('is for members of the project, from our own pages', async () => {
  const query = '?range=today';
  await file('', query).expect(401);
  await file(members.viewer.cookie, query).expect(403);
  await file(members.stranger.cookie, query).expect(404);
  await file(members.member.cookie, query, '999999').expect(404);
  await file(members.member.cookie, query).set('Sec-Fetch-Site', 'cross-site').expect(403);
  for (const wrong of ['?range=never', '?range=today&format=xml', '?range=today&column=x', '?range=today&filters=[']) {
    await file(members.member.cookie, wrong).expect(400);
  }
  const audit = await database.query(
    "select actor, details from audit where action = 'events.exported' order by id limit 1",
  );
  expect(audit).toEqual([{ actor: 'Rui', details: { format: 'ndjson' } }]);
});

it('refuses places that no event and nobody can have', async () => {
  const uuid = uuidV7(Date.now());
  const places: [string, object, object, string][] = [
    ['explorer.page', { range: 'today' }, { ts: 0, uuid }, 'after'],
    ['profiles.list', {}, { at: 0, number: 1 }, 'after'],
    ['events.detail', {}, { ts: 0, uuid }, ''],
    ['profiles.timeline', { person: uuid }, { ts: 0, uuid }, 'after'],
  ];
  for (const [path, input, place, field] of places) {
    const ask = (changed: object) => {
      const given = { ...place, ...changed };
      const asked = { project, ...input, ...(field === '' ? given : { [field]: given }) };
      return calls.query(whole.owner, path, asked);
    };
    const time = 'at' in place ? 'at' : 'ts';
    const whose = 'at' in place ? { number: 1e12 } : { uuid: '-'.repeat(36) };
    for (const wrong of [{ [time]: 1e308 }, { [time]: -1e15 }, whose]) {
      const { status } = await ask(wrong);
      expect([path, wrong, status]).toEqual([path, wrong, 400]);
    }
    expect([200, 404]).toContain((await ask({})).status);
  }
});

it('refuses a parameter that is given twice or with brackets, and never answers without it', async () => {
  const doors = {
    'events/export': ['from', 'to', 'range', 'filters', 'segment', 'people', 'format'],
    'persons/export': ['search', 'property', 'condition', 'value', 'who', 'sort'],
  };
  for (const [door, parameters] of Object.entries(doors)) {
    for (const name of parameters) {
      for (const given of [`${name}=x&${name}=x`, `${name}[]=x`, `${name}[a]=x`]) {
        // Every parameter is read: `from` goes before `range`, and a property is what `condition` and `value` are about.
        const others = door === 'persons/export' && name !== 'property' ? '&property=plan' : '';
        const path = `/project/${project}/${door}?${given}${name === 'from' ? '' : '&range=today'}${others}`;
        const { status } = await request(whole.app)
          .get(path)
          .set('Cookie', members.member.cookie)
          .set('Sec-Fetch-Site', 'same-origin');
        expect([path, status]).toEqual([path, 400]);
      }
    }
  }
});

it('breaks the connection off when it cannot be finished', async () => {
  const { history } = whole.parts.rooms;
  const listed = history.listed;
  let pages = 0;
  const failing = jest.spyOn(history, 'listed').mockImplementation(async (...asked) => {
    pages += 1;
    if (pages > 2) throw new Error('the database is gone');
    return listed(...asked);
  });
  const server = createServer(whole.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const seen = await new Promise<{ status: number; bytes: number; end: string }>((resolve) => {
      const headers = { Cookie: members.member.cookie, Host: 'localhost:3000' };
      ask({ port, headers, path: `/project/${project}/events/export?range=last_7_days&format=ndjson` }, (res) => {
        let bytes = 0;
        res.on('data', (piece: Buffer) => {
          bytes += piece.length;
        });
        res.once('end', () => resolve({ status: res.statusCode ?? 0, bytes, end: 'whole' }));
        res.once('error', () => resolve({ status: res.statusCode ?? 0, bytes, end: 'broken' }));
      }).end();
    });
    expect(seen).toMatchObject({ status: 200, end: 'broken' });
    expect(seen.bytes).toBeGreaterThan(0);
  } finally {
    failing.mockRestore();
    server.close();
  }
});

it('reads no further than the client, and stops when it disconnects', async () => {
  const { history } = whole.parts.rooms;
  const [sample] = await history.listed(whole.project as never, { limit: 1 });
  let pages = 0;
  const endless = jest.spyOn(history, 'listed').mockImplementation(async (_, { limit }) => {
    pages += 1;
    return Array.from({ length: limit }, () => ({ ...sample, properties: { text: 'x'.repeat(500) } }) as never);
  });
  const server = createServer(whole.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = { Cookie: members.member.cookie, Host: 'localhost:3000' };
  const path = `/project/${project}/events/export?range=last_7_days&format=ndjson`;
  const rest = () => new Promise((resolve) => setTimeout(resolve, 400));
  try {
    const sent = ask({ port, headers, path });
    const res = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve).end());
    res.pause();
    await rest();
    await rest();
    const taken = pages;
    await rest();
    expect(pages).toBe(taken);
    expect(taken).toBeLessThan(60);
    for (let count = 0; count < 40; count++) {
      res.read();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    res.resume();
    await rest();
    expect(pages).toBeGreaterThan(taken);
    res.once('error', () => undefined);
    sent.destroy();
    await rest();
    const last = pages;
    await rest();
    expect(pages).toBe(last);
  } finally {
    endless.mockRestore();
    server.close();
  }
});

type Listed = { id: number; state: string; rows: number; bytes: number }[];
const list = async (cookie: string): Promise<Listed> =>
  (await calls.query(cookie, 'explorer.exports', { project }).expect(200)).body.result.data.json;
const askFor = async (cookie: string, input: object = {}) =>
  (
    await calls
      .mutation(cookie, 'explorer.askExport', { project, range: 'last_7_days', format: 'ndjson', ...input })
      .expect(200)
  ).body.result.data.json.id as number;
const work = () => whole.parts.rooms.explorer.exports.work();

describe('in the background', () => {
  it('makes the same file, compressed, for members, until it is removed', async () => {
    const id = await askFor(members.member.cookie);
    expect(await list(whole.owner)).toMatchObject([{ id, state: 'waiting' }]);
    await file(members.member.cookie, `/${id}`).expect(404);
    await work();
    expect(await list(whole.owner)).toMatchObject([
      { id, state: 'done', rows: EVENTS, askedBy: 'Rui', isFiltered: false },
    ]);
    const direct = await file(whole.owner, '?range=last_7_days&format=ndjson').expect(200);
    const kept = await file(whole.owner, `/${id}`).set('Accept-Encoding', 'identity').expect(200);
    expect(String(kept.body)).toBe(String(direct.body));
    expect((await list(whole.owner))[0]?.bytes).toBe(Buffer.byteLength(String(direct.body)));
    const [pieces] = await database.query<{ bytes: Buffer }>('select bytes from blob_pieces order by number');
    expect(gunzipSync(pieces?.bytes as Buffer).toString()).toBe(String(direct.body));

    const { limits } = whole.parts.rooms;
    const others = [limits.exporting(Number(project)), limits.exporting(Number(project))];
    await file(whole.owner, `/${id}`).expect(429);
    for (const giveBack of others) giveBack();
    await file(whole.owner, `/${id}`).expect(200);
    limits.exporting(Number(project))();

    await file('', `/${id}`).expect(401);
    await file(members.viewer.cookie, `/${id}`).expect(403);
    await file(members.stranger.cookie, `/${id}`).expect(404);
    await file(whole.owner, `/${id}`, String(whole.parts.ownProject()?.id)).expect(404);
    await calls.mutation(members.viewer.cookie, 'explorer.removeExport', { project, id }).expect(403);
    await calls.mutation(members.member.cookie, 'explorer.removeExport', { project, id }).expect(200);
    await file(whole.owner, `/${id}`).expect(404);
    expect(await list(whole.owner)).toEqual([]);
    expect(await database.query('select from blob_pieces')).toEqual([]);
    expect(await database.query('select from blobs')).toEqual([]);
  });

  it('restarts after an interruption, ends when it is cancelled, and expires', async () => {
    const first = await askFor(members.member.cookie, { format: 'csv', columns: ['event'] });
    const cut = new AbortController();
    const { history } = whole.parts.rooms;
    const listed = history.listed;
    const cutting = jest.spyOn(history, 'listed').mockImplementation(async (...asked) => {
      const found = await listed(...asked);
      cut.abort();
      return found;
    });
    await whole.parts.rooms.explorer.exports.work(cut.signal);
    cutting.mockRestore();
    expect(await list(whole.owner)).toMatchObject([{ id: first, state: 'waiting' }]);
    expect(await database.query('select from blobs')).toEqual([]);

    const second = await askFor(members.member.cookie);
    const cancelling = jest.spyOn(history, 'listed').mockImplementation(async (...asked) => {
      const found = await listed(...asked);
      const [running] = (await list(whole.owner)).filter(({ state }) => state === 'running');
      if (running?.id === second)
        await calls.mutation(whole.owner, 'explorer.removeExport', { project, id: second }).expect(200);
      return found;
    });
    await work();
    cancelling.mockRestore();
    expect(await list(whole.owner)).toMatchObject([
      { id: second, state: 'cancelled' },
      { id: first, state: 'done', rows: EVENTS },
    ]);
    expect(await database.query('select from blobs')).toHaveLength(1);
    await database.query("update event_exports set expires_at = '2026-01-01' where id = $1", [first]);
    await database.query("update blobs set expires_at = '2026-01-01'");
    await file(whole.owner, `/${first}`).expect(404);
    await work();
    expect(await list(whole.owner)).toMatchObject([{ state: 'cancelled' }, { id: first, state: 'expired' }]);
    expect(await database.query('select from blob_pieces')).toEqual([]);
  });

  it('gives up after three attempts, and takes no more than five at once', async () => {
    const failing = jest.spyOn(whole.parts.rooms.history, 'listed').mockRejectedValue(new Error('no'));
    const id = await askFor(members.member.cookie);
    for (let attempt = 0; attempt < 3; attempt++) await work();
    failing.mockRestore();
    expect((await list(whole.owner)).find((each) => each.id === id)).toMatchObject({ state: 'failed' });
    for (let count = 0; count < 5; count++) await askFor(members.member.cookie, { range: 'today' });
    await calls
      .mutation(members.member.cookie, 'explorer.askExport', { project, range: 'today', format: 'csv' })
      .expect(409);
    await work();
  });
});

describe('people', () => {
  const people = (cookie: string, query = '', of = project) =>
    request(whole.app)
      .get(`/project/${of}/persons/export${query}`)
      .set('Cookie', cookie)
      .set('Sec-Fetch-Site', 'same-origin');
  const shown = async (asked: object) => {
    const { body } = await calls.query(members.member.cookie, 'profiles.list', { project, ...asked }).expect(200);
    return body.result.data.json.rows as Record<'uuid' | 'distinctId' | 'email' | 'label' | 'lastSeen', string>[];
  };

  beforeAll(async () => {
    const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
      whole.project,
    ]);
    const said = [
      { name: '=1+1', email: 'ana@shop.example', tags: ['a', 'b'] },
      { name: 'Bia, "B" ☕', plan: 'pro' },
    ];
    const batch = said.map(($set, index) => ({
      ...{ event: '$set', distinct_id: `person ${index}`, uuid: uuidV7(Date.now()), properties: { $set } },
    }));
    await request(whole.app).post('/ingest/batch/').send({ api_key: row?.token, batch }).expect(200);
  });

  it('are sent as the list has them, with everything that is known of them', async () => {
    for (const [query, asked] of [
      ['', {}],
      ['?sort=created', { sort: 'created' }],
      ['?search=shop', { search: 'shop' }],
      ['?property=plan&value=pro', { property: { name: 'plan', operator: 'equals', value: 'pro' } }],
      ['?property=tags&condition=isSet&who=all', { property: { name: 'tags', operator: 'isSet' }, everybody: true }],
    ] as const) {
      const { text, headers } = await people(members.member.cookie, query).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="people.csv"',
        'cache-control': 'private, no-store',
      });
      const [head, ...rows] = table(text);
      expect(head?.join()).toBe(
        'person,distinct_id,identified,name,email,first_seen,last_seen,visits,country,properties',
      );
      const listed = await shown(asked);
      expect(listed.length).toBeGreaterThan(0);
      expect(rows.map(([uuid, id, , , email, , seen]) => [uuid, id, email || null, Date.parse(seen ?? '')])).toEqual(
        listed.map(({ uuid, distinctId, email, lastSeen }) => [uuid, distinctId, email, lastSeen]),
      );
    }
    const { text } = await people(members.member.cookie, '?search=ana@shop.example').expect(200);
    const [, [, , , name, , , , , , properties] = []] = table(text);
    expect(name).toBe("'=1+1");
    expect(JSON.parse(String(properties))).toMatchObject({ name: '=1+1', email: 'ana@shop.example', tags: ['a', 'b'] });
  });

  it('are workbooks and files with semicolons where the account has chosen so, at once and later', async () => {
    const choose = (tableFormat: string | null) =>
      database.query("update users set table_format = $1 where name = 'Rui'", [tableFormat]);
    await choose('xlsx');
    const now = await people(members.member.cookie, '?search=ana@shop.example').buffer().parse(asBuffer).expect(200);
    expect(now.headers['content-disposition']).toBe('attachment; filename="people.xlsx"');
    const [head, row] = (await readXlsx(now.body)).sheets[0]?.rows ?? [];
    expect([head?.[3], row?.[3], row?.[2]]).toEqual(['name', '=1+1', false]);
    const asked = { project, search: 'ana@shop.example' };
    const { body } = await calls.mutation(members.member.cookie, 'explorer.askPeopleExport', asked).expect(200);
    const events = await file(members.member.cookie, '?range=last_7_days&column=event').expect(200);
    expect(events.headers['content-disposition']).toBe('attachment; filename="events.xlsx"');
    const found = (await readXlsx(events.body)).sheets[0]?.rows ?? [];
    await choose('semicolon');
    const semicolons = await file(members.member.cookie, '?range=last_7_days&column=event').expect(200);
    const lines = String(semicolons.body).split('\r\n').slice(0, -1);
    expect(lines).toEqual(found.map((cells, at) => (at === 0 ? '\uFEFF' : '') + cells.join(';')));
    // The requested format is kept, independently of who downloads the file.
    await work();
    const { id } = body.result.data.json;
    expect((await list(whole.owner))[0]).toMatchObject({ id, state: 'done', format: 'xlsx', rows: 1 });
    const kept = await file(whole.owner, `/${id}`).expect(200);
    expect(kept.headers['content-disposition']).toBe(`attachment; filename="people-${id}.xlsx"`);
    expect((await readXlsx(kept.body)).sheets[0]?.rows[1]?.[3]).toBe('=1+1');
    await choose(null);
    await calls.mutation(members.member.cookie, 'explorer.removeExport', { project, id }).expect(200);
  });

  it('are for members of the project', async () => {
    await people('').expect(401);
    await people(members.viewer.cookie).expect(403);
    await people(members.stranger.cookie).expect(404);
    await people(members.member.cookie).set('Sec-Fetch-Site', 'cross-site').expect(403);
    await people(members.member.cookie, '?property=plan&condition=never').expect(400);
    const [noted] = await database.query<object>("select actor, details from audit where action = 'people.exported'");
    expect(noted).toEqual({ actor: 'Rui', details: { format: 'csv' } });
  });

  it('are made into a file first when they are many', async () => {
    await database.query(
      `insert into persons (project_id, number, uuid, has_profile, properties, created_at)
       select $1, n, gen_random_uuid(), true, jsonb_build_object('crowd', true, 'name', 'Somebody ' || n), '2026-01-01'
         from generate_series(1000000, 1010000) n`,
      [whole.project],
    );
    const crowd = { project, property: { name: 'crowd', operator: 'isSet' } };
    const query = '?property=crowd&condition=isSet';
    expect((await people(members.member.cookie, query).expect(413)).text).toContain('10001 people');
    await calls.mutation(members.viewer.cookie, 'explorer.askPeopleExport', crowd).expect(403);
    const { body } = await calls.mutation(members.member.cookie, 'explorer.askPeopleExport', crowd).expect(200);
    const { id } = body.result.data.json;
    await work();
    const done = { id, state: 'done', what: 'people', format: 'csv', range: null, names: [], isFiltered: true };
    expect((await list(whole.owner))[0]).toMatchObject({ ...done, rows: 10_001 });
    const kept = await file(members.member.cookie, `/${id}`).expect(200);
    expect(kept.headers['content-disposition']).toBe(`attachment; filename="people-${id}.csv"`);
    const [, ...rows] = table(String(kept.body));
    expect(new Set(rows.map(([uuid]) => uuid)).size).toBe(10_001);
    expect(rows[0]?.[3]).toBe('Somebody 1010000');
    await calls.mutation(members.member.cookie, 'explorer.removeExport', { project, id }).expect(200);
    await database.query('delete from persons where project_id = $1 and number >= 1000000', [whole.project]);
  });
});
