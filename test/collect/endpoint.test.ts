import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import posthogJs from 'posthog-js/package.json' with { type: 'json' };
import request from 'supertest';
import type { Spool } from '#src/collect/spool.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { NOW } from './context.ts';
import { testProject, testServer } from './server.ts';

const event = { event: 'a', distinct_id: 'd', properties: { token: 'lnt_shop' } };
const envelope = { api_key: 'lnt_shop', batch: [event] };

describe('captures', () => {
  it.each(['/e', '/e/', '/i/v0/e/', '/batch/', '/batch', '/capture/', '/track/', '/i/v0/ai/batch/', '/engage/'])(
    '%s takes events and answers exactly 200',
    async (path) => {
      const { app, stored } = testServer();
      const answer = await request(app).post(`/ingest${path}`).send(envelope);
      expect([answer.status, answer.body]).toEqual([200, { status: 1 }]);
      expect(stored).toHaveLength(1);
    },
  );

  it('answers a beacon with 200 as well', async () => {
    const { app, stored } = testServer();
    const answer = await request(app)
      .post('/ingest/e/?compression=gzip-js&beacon=1')
      .set('Content-Type', 'text/plain')
      .send(gzipSync(JSON.stringify([event])));
    expect(answer.status).toBe(200);
    expect(stored).toHaveLength(1);
  });

  it('takes a GET with data', async () => {
    const { app, stored } = testServer();
    const data = Buffer.from(JSON.stringify(event)).toString('base64');
    await request(app).get('/ingest/e/').query({ data }).expect(200);
    expect(stored).toHaveLength(1);
  });

  it('works under any prefix', async () => {
    const { app, stored } = testServer({ prefix: '/a/b' });
    await request(app).post('/a/b/e/').send(envelope).expect(200);
    expect(stored).toHaveLength(1);
  });

  it('drops what is no event, says so in a note, and keeps the others', async () => {
    const { app, stored, notes } = testServer();
    await request(app)
      .post('/ingest/batch/')
      .send({ ...envelope, batch: [event, null, { event: '' }, { event: 'x' }, event] })
      .expect(200);
    expect(stored).toHaveLength(2);
    expect(notes.map(({ reason, times }) => [reason, times])).toEqual([
      ['not_an_event', 1],
      ['no_name', 1],
      ['no_distinct_id', 1],
    ]);
  });

  it('answers 200 to a foreign origin, and stores nothing', async () => {
    const { app, stored, notes } = testServer({ project: testProject({ allowedOrigins: ['https://loja.example'] }) });
    await request(app).post('/ingest/e/').set('Origin', 'https://evil.example').send(envelope).expect(200);
    expect(stored).toHaveLength(0);
    expect(notes[0]?.reason).toBe('origin');
    await request(app).post('/ingest/e/').set('Origin', 'https://loja.example').send(envelope).expect(200);
    await request(app).post('/ingest/e/').send(envelope).expect(200);
    expect(stored).toHaveLength(2);
  });

  it('takes the visitor’s address and user agent from the request', async () => {
    const { app, stored } = testServer({ project: testProject({ ipHandling: 'full' }) });
    await request(app)
      .post('/ingest/e/')
      .set('X-Forwarded-For', '1.1.1.1, ::ffff:177.32.5.9')
      .set('User-Agent', `Mozilla/5.0 ${'x'.repeat(2_000)}`)
      .send(envelope)
      .expect(200);
    expect(stored[0]?.groups.geo).toEqual({ $geoip_country_code: 'BR', $ip: '177.32.5.9' });
    expect(String(stored[0]?.groups.device?.['$raw_user_agent'])).toHaveLength(1_000);
  });

  it('passes on what it took, in mirror mode', async () => {
    const passed: string[] = [];
    const { app } = testServer({ forward: async (path, body) => void passed.push(`${path} ${body.length}`) });
    await request(app).post('/ingest/e/?ip=1').send(envelope).expect(200);
    await request(app).post('/ingest/e/').send('rubbish').expect(400);
    expect(passed).toEqual([`/e/?ip=1 ${JSON.stringify(envelope).length}`]);
  });
});

describe('a mirror', () => {
  const cookieless = { ...event, properties: { ...event.properties, distinct_id: '$posthog_cookieless' } };
  delete (cookieless as { distinct_id?: string }).distinct_id;
  const tooLarge = { ...event, properties: { x: 'x'.repeat(1_100_000) } };

  it.each<[string, Parameters<typeof testProject>[0], Record<string, string>, object[], boolean]>([
    ['of a browser that asks not to be tracked', { respectDnt: true }, { DNT: '1' }, [event, null as never], false],
    ['with nothing but what is too large of such a browser', { respectDnt: true }, { DNT: '1' }, [tooLarge], false],
    ['that says so in the other way', { respectDnt: true }, { 'Sec-GPC': '1' }, [event], false],
    ['where that is not respected', {}, { DNT: '1' }, [event], true],
    ['of a foreign site', { allowedOrigins: ['https://a.example'] }, { Origin: 'https://b.example' }, [event], false],
    ['of an own site', { allowedOrigins: ['https://a.example'] }, { Origin: 'https://a.example' }, [event], true],
    ['of visitors who are not counted', { cookieless: false }, {}, [cookieless, { event: '' }], false],
    ['of such a visitor and another', { cookieless: false }, {}, [cookieless, event], true],
    ['without an event that can be kept', {}, {}, [{ event: '' }], true],
  ])('is passed a request %s only where it may be', async (_name, settings, headers, batch, isPassed) => {
    const passed: string[] = [];
    const { app } = testServer({ project: testProject(settings), forward: async (path) => void passed.push(path) });
    await request(app)
      .post('/ingest/batch/')
      .set(headers)
      .send({ ...envelope, batch })
      .expect(200);
    await request(app)
      .post('/ingest/i/v1/analytics/events')
      .set(headers)
      .set('Authorization', 'Bearer lnt_shop')
      .send({ batch })
      .expect(200);
    expect(passed).toEqual(isPassed ? ['/batch/', '/i/v1/analytics/events'] : []);
  });

  it.each([
    ['none', '177.32.5.9', ''],
    ['truncated', '177.32.5.9', '177.32.5.0'],
    ['truncated', '2804:14d:5c8e:1::7', '2804:14d:5c8e::'],
    ['full', '::ffff:177.32.5.9', '177.32.5.9'],
  ] as const)('forwards the visitor’s address as stored here: %s, %s', async (ipHandling, address, forwarded) => {
    const whose: object[] = [];
    const project = testProject({ ipHandling });
    const { app } = testServer({ project, forward: async (_path, _body, each) => void whose.push(each) });
    await request(app).post('/ingest/e/').set('X-Forwarded-For', address).send(envelope).expect(200);
    expect(whose).toEqual([{ projectId: project.id, address: forwarded }]);
  });

  it('forwards no address while the project is unknown', async () => {
    const whose: object[] = [];
    const spool = { durable: true, append: async () => {}, stats: () => null, close: async () => {}, replay() {} };
    const { app, state } = testServer({
      ...{ project: testProject({ ipHandling: 'full' }), spool: spool as never },
      forward: async (_path, _body, each) => void whose.push(each),
    });
    state.projectsAway = true;
    await request(app).post('/ingest/e/').set('X-Forwarded-For', '177.32.5.9').send(envelope).expect(200);
    expect(whose).toEqual([{ projectId: null, address: '' }]);
  });
});

describe('the newer capture of servers', () => {
  const send = (app: ReturnType<typeof testServer>['app']) =>
    request(app).post('/ingest/i/v1/analytics/events').set('PostHog-Sdk-Info', 'posthog-node/5.70.0');

  it('answers event by event', async () => {
    const { app, stored } = testServer();
    const uuid = '0193abcd-1234-7000-8000-000000000001';
    const batch = [
      { event: 'a', uuid, distinct_id: 'd', options: { process_person_profile: false }, properties: {} },
      { event: '', uuid: '0193abcd-1234-7000-8000-000000000002', distinct_id: 'd' },
    ];
    const answer = await send(app)
      .set('Authorization', 'Bearer lnt_shop')
      .send({ created_at: new Date().toISOString(), batch });
    expect(answer.status).toBe(200);
    expect(answer.body.results).toEqual({
      [uuid]: { result: 'ok' },
      '0193abcd-1234-7000-8000-000000000002': { result: 'drop', details: 'no_name' },
    });
    expect(stored[0]).toMatchObject({
      uuid,
      groups: { device: { $lib: 'posthog-node', $lib_version: '5.70.0' } },
      person: { process: false },
    });
  });

  it('wants its token in the header', async () => {
    const { app } = testServer();
    await send(app)
      .send({ batch: [{ event: 'a', uuid: 'u', distinct_id: 'd' }] })
      .expect(401);
  });
});

describe('refusals', () => {
  it.each<[string, number, string | Buffer | object]>([
    ['nothing', 400, ''],
    ['rubbish', 400, 'rubbish'],
    ['half a gzip', 400, gzipSync('{}').subarray(0, 12)],
    ['an empty batch', 400, { api_key: 'lnt_shop', batch: [] }],
    ['no token', 401, { batch: [{ event: 'a' }] }],
    ['a personal key', 401, { api_key: 'phx_x', batch: [event] }],
    ['an unknown token', 401, { api_key: 'lnt_other', batch: [event] }],
    ['two tokens', 401, [event, { event: 'b', properties: { token: 'lnt_other' } }]],
    ['a bomb', 413, gzipSync(Buffer.alloc(30 * 1024 * 1024))],
  ])('%s: %d, in plain text', async (_name, status, body) => {
    const { app, stored } = testServer();
    const answer = await request(app)
      .post('/ingest/e/')
      .set('Content-Type', typeof body === 'object' && !Buffer.isBuffer(body) ? 'application/json' : 'text/plain')
      .send(body);
    expect(answer.status).toBe(status);
    expect(answer.type).toBe('text/plain');
    expect(answer.text).not.toMatch(/\bat \S+:\d+/);
    expect(stored).toHaveLength(0);
  });

  it('of a body too large before it is read', async () => {
    const { app } = testServer({ limits: { bodyBytes: 1_000 } });
    await request(app)
      .post('/ingest/e/')
      .send({ ...envelope, x: 'x'.repeat(2_000) })
      .expect(413);
    const server = await listen(app);
    const chunked = await post(server, '/ingest/e/', { ...envelope, x: 'x'.repeat(2_000) }, true);
    expect(chunked.status).toBe(413);
    server.close();
  });

  describe('of a body too large, to who is still sending', () => {
    const MB = 1_000_000;
    const limits = { bodyBytes: MB, restBytes: 20 * MB, restMs: 3_000, restPauseMs: 300, restsAtOnce: 2 };
    const head = (length: number | null) =>
      `POST /ingest/batch/ HTTP/1.1\r\nHost: x\r\n${length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;
    const chunkOf = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

    /** Reads nothing until all is sent. What it is answered, and when the connection ended. */
    async function send(server: Server, pieces: (string | Buffer)[]): Promise<{ answer: string; tookMs: number }> {
      const began = performance.now();
      const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true });
      socket.pause();
      let failure = '';
      socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code ?? ''));
      let answer = '';
      const over = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('end', () => socket.end()));
      socket.on('data', (chunk) => (answer += chunk));
      for (const piece of pieces) {
        if (socket.destroyed) break;
        await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
      }
      socket.resume();
      await over;
      return { answer: answer.split('\r\n', 1)[0] || failure, tookMs: performance.now() - began };
    }

    it.each([
      ['that said how long it is', [head(15 * MB), Buffer.alloc(15 * MB, 'x')]],
      ['that did not', [head(null), ...Array.from({ length: 60 }, () => chunkOf(MB / 4)), '0\r\n\r\n']],
    ])('is seen by a client %s', async (_name, pieces) => {
      const { app, inFlight } = testServer({ limits });
      const server = await listen(app);
      const answers: string[] = [];
      for (let n = 0; n < 8; n++) answers.push((await send(server, pieces)).answer);
      server.closeAllConnections();
      server.close();
      expect(answers).toEqual(answers.map(() => 'HTTP/1.1 413 Payload Too Large'));
      expect(inFlight()).toEqual({ requests: 0, bytes: 0 });
    });

    it('ends when they fall silent, drip, or never end', async () => {
      // Of the limits one is near each time, and the others further than a test may take.
      const far = { ...limits, restMs: 600_000, restPauseMs: 600_000 };
      const pausing = testServer({ limits: { ...far, restPauseMs: 300 } });
      const server = await listen(pausing.app);
      const silent = await send(server, [head(15 * MB), 'x']);
      expect(silent.answer).toMatch(/ 413 /);
      expect(pausing.inFlight()).toEqual({ requests: 0, bytes: 0 });
      server.close();

      const patient = testServer({ limits: { ...far, restMs: 1_000 } });
      const another = await listen(patient.app);
      const dripping = connect(portOf(another), '127.0.0.1').on('error', () => undefined);
      dripping.resume().write(head(15 * MB));
      const drip = setInterval(() => dripping.write('x'), 50);
      await new Promise((resolve) => dripping.on('close', resolve));
      clearInterval(drip);
      expect(patient.inFlight()).toEqual({ requests: 0, bytes: 0 });
      another.close();

      const full = testServer({ limits: far });
      const third = await listen(full.app);
      await send(third, [head(900 * MB), ...Array.from({ length: 900 }, () => Buffer.alloc(MB))]);
      expect(full.inFlight()).toEqual({ requests: 0, bytes: 0 });
      third.close();
    });

    it('is not waited for where many are at it', async () => {
      const { app } = testServer({ limits: { ...limits, restPauseMs: 1_000 } });
      const server = await listen(app);
      const all = Array.from({ length: 3 }, () => send(server, [head(15 * MB), 'x']));
      for (const each of await Promise.all(all)) expect(each.answer).toMatch(/ 413 /);
      const [first = 0, second = 0] = (await Promise.all(all)).map(({ tookMs }) => tookMs).sort((a, b) => a - b);
      expect(second - first).toBeGreaterThan(300);
      server.close();
    });
  });

  it('of what cannot be promised: 503 with a time to try again', async () => {
    const { app, state } = testServer();
    state.projectsAway = true;
    const away = await request(app).post('/ingest/e/').send(envelope);
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
    state.projectsAway = false;
    state.fail = new Error('a bug');
    const failed = await request(app).post('/ingest/e/').send(envelope);
    expect([failed.status, failed.headers['retry-after'], failed.text]).toEqual([503, '5', 'Internal error.\n']);
  });

  it('of other methods', async () => {
    const { app } = testServer();
    await request(app).put('/ingest/e/').send(envelope).expect(405);
    await request(app).delete('/ingest/static/array.js').expect(405);
  });
});

describe('too much at once', () => {
  it('is refused before the body is read, and only while it lasts', async () => {
    const { app, state, inFlight, counts } = testServer({ limits: { inFlightRequests: 2 } });
    const gate = Promise.withResolvers<void>();
    state.hold = gate.promise;
    const server = await listen(app);
    const [one, two] = [post(server, '/ingest/e/', envelope), post(server, '/ingest/e/', envelope)];
    while (inFlight().requests < 2) await new Promise(setImmediate);
    const refused = await post(server, '/ingest/e/', envelope);
    expect([refused.status, refused.retryAfter]).toEqual([503, '5']);
    gate.resolve();
    expect((await one).status).toBe(200);
    expect((await two).status).toBe(200);
    expect((await post(server, '/ingest/e/', envelope)).status).toBe(200);
    expect(inFlight()).toEqual({ requests: 0, bytes: 0 });
    expect(counts.refused.overload).toBe(1);
    server.close();
  });

  it('keeps the connection of a client, unless there is much left to read', async () => {
    const { app, state, inFlight } = testServer({ limits: { inFlightRequests: 1 } });
    const gate = Promise.withResolvers<void>();
    state.hold = gate.promise;
    const server = await listen(app);
    const first = post(server, '/ingest/e/', envelope);
    while (inFlight().requests < 1) await new Promise(setImmediate);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    /** Says how long its body is, and is answered before the last byte of it was sent. */
    const refused = (length: number) =>
      new Promise<string>((resolve, reject) => {
        const headers = { 'content-length': length };
        const call = httpRequest(
          { port: portOf(server), path: '/ingest/e/', method: 'POST', agent, headers },
          (res) => {
            const { connection } = res.headers;
            res.resume().on('end', () => {
              call.end('x'.repeat(connection === 'close' ? 0 : length - 1));
              resolve(`${res.statusCode} ${connection} ${call.reusedSocket ? 'again' : 'new'}`);
            });
          },
        );
        call.on('error', reject).write('x');
      });
    expect(await refused(1_000)).toBe('503 keep-alive new');
    expect(await refused(2_000)).toBe('503 keep-alive again');
    expect(await refused(70_000)).toBe('503 close again');
    gate.resolve();
    expect((await first).status).toBe(200);
    agent.destroy();
    server.close();
  });

  it('counts bytes, as sent and as decoded', async () => {
    const { app, state, inFlight } = testServer({ limits: { inFlightBytes: 5_000 } });
    const gate = Promise.withResolvers<void>();
    state.hold = gate.promise;
    const server = await listen(app);
    const large = post(server, '/ingest/e/', { ...envelope, x: 'x'.repeat(3_000) });
    while (inFlight().bytes < 6_000) await new Promise(setImmediate);
    expect((await post(server, '/ingest/e/', envelope)).status).toBe(503);
    gate.resolve();
    expect((await large).status).toBe(200);
    expect(inFlight()).toEqual({ requests: 0, bytes: 0 });
    server.close();
  });

  it('counts what small bodies become', async () => {
    const { app, state, inFlight, counts } = testServer({ limits: { inFlightBytes: 5_000 } });
    const gate = Promise.withResolvers<void>();
    state.hold = gate.promise;
    const server = await listen(app);
    const send = () =>
      fetch(`http://127.0.0.1:${portOf(server)}/ingest/e/`, {
        method: 'POST',
        body: gzipSync(JSON.stringify({ ...envelope, x: 'x'.repeat(3_000) })),
      });
    const one = send();
    while (inFlight().bytes < 3_000) await new Promise(setImmediate);
    expect((await send()).status).toBe(503);
    expect(counts.refused.overload).toBe(1);
    gate.resolve();
    expect((await one).status).toBe(200);
    expect(inFlight()).toEqual({ requests: 0, bytes: 0 });
    server.close();
  });

  it('leaves bodies as they were sent until those before them are stored', async () => {
    const { app, state, stored, inFlight } = testServer({ limits: { decodedBytes: 5_000 } });
    const gate = Promise.withResolvers<void>();
    state.hold = gate.promise;
    const server = await listen(app);
    const padded = JSON.stringify({ ...envelope, x: 'x'.repeat(3_000) });
    const packed = gzipSync(padded);
    const send = (body: Buffer<ArrayBuffer>) =>
      fetch(`http://127.0.0.1:${portOf(server)}/ingest/e/`, { method: 'POST', body });
    const two = [send(packed), send(packed)];
    const until = async (bytes: number) => {
      for (let n = 0; n < 300 && inFlight().bytes < bytes; n++) await new Promise((wake) => setTimeout(wake, 10));
    };
    await until(2 * (packed.length + padded.length));
    // One of those that wait cannot be read: that must not hold up the others.
    const waiting = [packed, Buffer.from('?'), packed, packed].map(send);
    const all = 5 * packed.length + 1 + 2 * padded.length;
    await until(all);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(inFlight()).toEqual({ requests: 6, bytes: all });
    gate.resolve();
    expect((await Promise.all([...two, ...waiting])).map(({ status }) => status)).toEqual([
      200, 200, 200, 400, 200, 200,
    ]);
    expect(stored).toHaveLength(5);
    expect(inFlight()).toEqual({ requests: 0, bytes: 0 });
    server.close();
  });

  it('gives back what a client that went away had', async () => {
    const { app, inFlight } = testServer();
    const server = await listen(app);
    const socket = connect(portOf(server), '127.0.0.1');
    socket.write('POST /ingest/e/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"a":');
    while (inFlight().requests < 1) await new Promise(setImmediate);
    socket.destroy();
    while (inFlight().requests > 0) await new Promise(setImmediate);
    expect(inFlight().bytes).toBe(0);
    server.close();
  });
});

it('cuts off a body that comes too slowly with 408', async () => {
  const clock = fixedClock(NOW);
  const { app, inFlight, counts } = testServer({ clock });
  const server = await listen(app);
  const socket = connect(portOf(server), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write('POST /ingest/e/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"a":');
  while (inFlight().requests < 1) await new Promise(setImmediate);
  clock.advance(21_000);
  await new Promise((resolve) => socket.on('close', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(inFlight().requests).toBe(0);
  expect(counts.refused.slow).toBe(1);
  server.close();
});

describe('while the database is away', () => {
  const keep = (durable: boolean) => {
    const kept: unknown[] = [];
    const spool = { durable, append: async (record: unknown) => void kept.push(record) } as unknown as Spool;
    return { spool, kept };
  };

  it('keeps events of unknown tokens on a durable disk, without address', async () => {
    const { spool, kept } = keep(true);
    const { app, state } = testServer({ spool });
    state.projectsAway = true;
    await request(app)
      .post('/ingest/e/')
      .set('X-Forwarded-For', '177.32.5.9')
      .set('Origin', 'https://loja.example')
      .send({ ...envelope, batch: [{ ...event, uuid: '0193ABCD-1234-7000-8000-000000000001' }] })
      .expect(200);
    expect(kept).toMatchObject([
      { token: 'lnt_shop', uuids: ['0193abcd-1234-7000-8000-000000000001'], raw: { origin: 'https://loja.example' } },
    ]);
    expect(JSON.stringify(kept)).not.toContain('177.32');
    expect(JSON.stringify(kept)).toContain('BR');
  });

  it('acknowledges nothing from an ephemeral disk', async () => {
    const { spool, kept } = keep(false);
    const { app, state } = testServer({ spool });
    state.projectsAway = true;
    await request(app).post('/ingest/e/').send(envelope).expect(503);
    expect(kept).toHaveLength(1);
  });

  it('does not take visitors without storage: their secret is out of reach', async () => {
    const { spool, kept } = keep(true);
    const { app, state } = testServer({ spool });
    state.projectsAway = true;
    await request(app).post('/ingest/va/lnt_shop/view').send('{"o":"https://loja.example/"}').expect(503);
    expect(kept).toHaveLength(0);
  });

  it('still answers settings, so that pages work', async () => {
    const { app, state } = testServer();
    state.projectsAway = true;
    await request(app).get('/ingest/array/lnt_shop/config').expect(200);
    await request(app).post('/ingest/flags/?v=2').send({ token: 'lnt_shop', distinct_id: 'd' }).expect(200);
  });
});

describe('other origins', () => {
  it('may send and read the answer, with credentials that nobody reads', async () => {
    const { app } = testServer();
    const preflight = await request(app)
      .options('/ingest/e/')
      .set('Origin', 'https://loja.example')
      .set('Access-Control-Request-Headers', 'content-type,x-y');
    expect(preflight.status).toBe(200);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://loja.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'content-type,x-y',
      vary: 'Origin',
    });
    const answer = await request(app)
      .post('/ingest/e/')
      .set('Origin', 'https://loja.example')
      .set('Cookie', 'luneta=secret')
      .send(envelope);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://loja.example',
      'access-control-expose-headers': 'Retry-After',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('are not mentioned without one', async () => {
    const answer = await request(testServer().app).post('/ingest/e/').send(envelope);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('no cookie is read: its header is never touched', async () => {
    const { app } = testServer();
    const guarded = createServer((req, res) => {
      const headers = req.headers;
      Object.defineProperty(req, 'headers', {
        value: new Proxy(headers, {
          get(target, name) {
            if (name === 'cookie') throw new Error('a cookie was read');
            return Reflect.get(target, name);
          },
        }),
      });
      app(req, res);
    }).listen(0);
    for (const path of ['/e/', '/flags/?v=2', '/s/', '/decide/?v=2', '/va/lnt_shop/view']) {
      expect((await post(guarded, `/ingest${path}`, { ...envelope, token: 'lnt_shop' })).status).toBe(200);
    }
    guarded.close();
  });
});

describe('settings and scripts', () => {
  const { app } = testServer();
  it('settings in both forms', async () => {
    const json = await request(app).get('/ingest/array/lnt_shop/config').expect(200);
    expect(json.body).toMatchObject({ token: 'lnt_shop', supportedCompression: ['gzip', 'gzip-js'] });
    expect(json.headers['cache-control']).toBe('public, max-age=60');
    const script = await request(app).get('/ingest/array/phc_shop/config.js').expect(200);
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.text).toContain('"phc_shop"');
  });

  it('of a token of nobody: 401', async () => {
    await request(app).get('/ingest/array/lnt_nobody/config.js').expect(401);
    await request(app).get('/ingest/array/%E0%A4%A/config').expect(401);
  });

  it('the whole client with its settings', async () => {
    const { text } = await request(app).get('/ingest/array/lnt_shop/array.js').expect(200);
    expect(text.startsWith('(function(w)')).toBe(true);
    expect(text.length).toBeGreaterThan(100_000);
  });

  it('scripts of the installed version, under both addresses', async () => {
    const pinned = await request(app)
      .get(`/ingest/static/${posthogJs.version}/surveys.js`)
      .set('Accept-Encoding', 'br')
      .expect(200);
    expect(pinned.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
    const loose = await request(app).get('/ingest/static/recorder.js?v=1.260.0').expect(200);
    expect(loose.headers['cache-control']).toBe('public, max-age=3600');
    await request(app)
      .get('/ingest/static/recorder.js')
      .set('If-None-Match', loose.headers['etag'] ?? '')
      .expect(304);
    await request(app).get('/ingest/static/array.js.map').expect(200);
  });

  it.each(['1.0.0', '1.260.0', '9.9.9-beta.1'])(
    'the installed script to a page that names version %s',
    async (version) => {
      const { headers } = await request(app).get(`/ingest/static/${version}/surveys.js`).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=3600');
      await request(app).get(`/ingest/static/${version}/toolbar.js`).expect(404);
    },
  );

  it.each(['toolbar.js', '../package.json', '..%2fpackage.json', '1.0.0/../../package.json', 'lib/src/config.js', ''])(
    'not /static/%s',
    async (file) => {
      await request(app).get(`/ingest/static/${file}`).expect(404);
    },
  );

  it('compresses as the client likes', async () => {
    const get = (accept: string) =>
      request(app)
        .get('/ingest/static/web-vitals.js')
        .set('Accept-Encoding', accept)
        .buffer(true)
        .parse((res, done) => {
          const chunks: Buffer[] = [];
          res.on('data', (chunk: Buffer) => chunks.push(chunk));
          res.on('end', () => done(null, Buffer.concat(chunks)));
        });
    expect((await get('gzip, br;q=0')).headers['content-encoding']).toBe('gzip');
    expect((await get('identity')).headers['content-encoding']).toBeUndefined();
  });
});

describe('features without a home', () => {
  const { app, counts, stored } = testServer();
  it.each([
    ['/api/surveys/?token=lnt_shop', { surveys: [] }],
    ['/api/early_access_features/?token=lnt_shop', { earlyAccessFeatures: [] }],
    ['/api/web_experiments/?token=x', { experiments: [] }],
    ['/api/product_tours/', { product_tours: [] }],
  ])('GET %s', async (path, body) => {
    expect((await request(app).get(`/ingest${path}`).expect(200)).body).toEqual(body);
  });

  it('recordings are refused while the project records none, logs and metrics taken and forgotten', async () => {
    const big = gzipSync(JSON.stringify([{ event: '$snapshot', properties: { token: 'lnt_shop' } }]));
    const answer = await request(app)
      .post('/ingest/s/?compression=gzip-js')
      .set('Content-Type', 'text/plain')
      .send(big)
      .expect(200);
    expect(answer.body).toEqual({ status: 1, quota_limited: ['recordings'] });
    expect((await request(app).post('/ingest/i/v1/logs?token=lnt_shop').send({}).expect(200)).body).toEqual({});
    expect((await request(app).post('/ingest/i/v1/metrics?token=lnt_shop').send({}).expect(200)).body).toEqual({});
    expect(counts.ignored).toEqual({ logs: 1, metrics: 1 });
    expect(counts.recordings).toEqual({ stored: 0, refused: 1, unread: 0 });
    expect(stored).toHaveLength(0);
  });

  it('flags are none', async () => {
    const body = { token: 'lnt_shop', distinct_id: 'd' };
    const v2 = await request(app).post('/ingest/flags/?v=2').send(body).expect(200);
    expect((await request(app).post('/ingest/flags/?v=2').send({ token: 'lnt_shop' })).status).toBe(200);
    expect(v2.body).toMatchObject({ flags: {}, errorsWhileComputingFlags: false, requestId: expect.any(String) });
    expect(v2.body).not.toHaveProperty('supportedCompression');
    const withConfig = await request(app)
      .post('/ingest/flags/?v=2&config=true')
      .type('form')
      .send(`data=${encodeURIComponent(Buffer.from(JSON.stringify(body)).toString('base64'))}`)
      .expect(200);
    expect(withConfig.body).toMatchObject({
      flags: {},
      supportedCompression: ['gzip', 'gzip-js'],
      autocapture_opt_out: false,
    });
    expect((await request(app).post('/ingest/decide/?v=2').send(body).expect(200)).body).toMatchObject({
      featureFlags: {},
      config: { enable_collect_everything: true },
    });
    await request(app).post('/ingest/flags/?v=2').send({ distinct_id: 'd' }).expect(401);
    await request(app).post('/ingest/flags/?v=2').send({ token: 'lnt_other', distinct_id: 'd' }).expect(401);
  });

  it('flag definitions need a key', async () => {
    await request(app).get('/ingest/flags/definitions?token=lnt_shop&send_cohorts').expect(401);
    await request(app).get('/ingest/api/projects/@current/feature_flags/x/remote_config?token=lnt_shop').expect(401);
  });

  it('nothing else is here', async () => {
    await request(app).get('/ingest/').expect(404);
    await request(app).get('/ingest/constructor').expect(404);
  });

  it.each(['/api/unknown/', '/flags/unknown', '/i/v0/unknown', '/api/projects/1/feature_flags/x/remote_config'])(
    'says so as JSON at %s, which clients parse',
    async (path) => {
      const { body } = await request(app).get(`/ingest${path}`).expect('Content-Type', /json/).expect(404);
      expect(body).toMatchObject({ type: 'not_found' });
    },
  );

  it('says so as JSON to those who accept nothing else', async () => {
    await request(app).get('/ingest/x').set('Accept', 'application/json').expect('Content-Type', /json/).expect(404);
    await request(app).get('/ingest/x').expect('Content-Type', /text/).expect(404);
  });
});

describe('the web-analytics component', () => {
  const view = {
    o: 'https://loja.example/cafe?utm_source=tabnews',
    r: '',
    ts: Date.now(),
    w: 390,
    dp: '/[slug]',
    sdkn: '@vercel/analytics/react',
    sdkv: '2.0.1',
  };

  it('gets its script, with the project’s tokens', async () => {
    const { app } = testServer();
    const { text, headers } = await request(app).get('/ingest/va/phc_shop/script.js').expect(200);
    expect(text.startsWith('window.lunetaTokens=["lnt_shop","phc_shop"];')).toBe(true);
    await request(app)
      .get('/ingest/va/phc_shop/script.js')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
    await request(app).get('/ingest/va/lnt_nobody/script.js').expect(401);
    expect((await request(app).get('/ingest/va/script.js').expect(200)).text).toContain('lunetaTokens=[]');
  });

  it('stores views and events of a visitor without storage', async () => {
    const { app, stored } = testServer();
    await request(app)
      .post('/ingest/va/lnt_shop/view')
      .set('Content-Type', 'text/plain')
      .set('X-Forwarded-For', '177.32.5.9')
      .set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')
      .send(JSON.stringify(view))
      .expect(200);
    await request(app)
      .post('/ingest/va/lnt_shop/event')
      .send(JSON.stringify({ ...view, en: 'compra', ed: { total: 9, $lib: 'x' } }))
      .expect(200);
    expect(stored).toMatchObject([
      {
        event: '$pageview',
        distinctId: expect.stringMatching(/^cookieless_/),
        properties: { $route: '/[slug]' },
        groups: {
          page: { $current_url: view.o, $host: 'loja.example', $pathname: '/cafe' },
          device: { $lib: 'web-analytics', $lib_version: '2.0.1', $browser: 'Firefox', $viewport_width: 390 },
          source: { $channel_type: 'Organic Social' },
          geo: { $geoip_country_code: 'BR' },
        },
      },
      { event: 'compra', properties: { total: 9, $route: '/[slug]' }, groups: { device: { $lib: 'web-analytics' } } },
    ]);
    expect(JSON.stringify(stored)).not.toContain('177.32');
  });

  it('finds its project by path, dsn, or the only one that lists the site', async () => {
    const open = testServer();
    await request(open.app)
      .post('/ingest/va/view')
      .send(JSON.stringify({ ...view, dsn: 'phc_shop' }))
      .expect(200);
    await request(open.app).post('/ingest/va/view').send(JSON.stringify(view)).expect(401);
    const listed = testServer({ project: testProject({ allowedOrigins: ['https://loja.example'] }) });
    await request(listed.app).post('/ingest/va/view').send(JSON.stringify(view)).expect(200);
    await request(listed.app)
      .post('/ingest/va/view')
      .send(JSON.stringify({ ...view, o: 'https://outra.example/' }))
      .expect(401);
    expect([open.stored.length, listed.stored.length]).toEqual([1, 1]);
  });

  it.each([
    ['https://blog.loja.example/cafe', 200],
    ['https://loja.example/cafe', 401],
    ['http://blog.loja.example/cafe', 401],
    ['https://umaloja.example/cafe', 401],
    ['nowhere', 401],
  ])('finds it by origins with a star as well, as they say who may send: %s %p', async (o, status) => {
    const below = testServer({ project: testProject({ allowedOrigins: ['https://*.loja.example'] }) });
    await request(below.app)
      .post('/ingest/va/view')
      .send(JSON.stringify({ ...view, o }))
      .expect(status);
  });

  it('keeps what a site names as clients name their own', async () => {
    const { app, stored } = testServer({ project: testProject({ allowedOrigins: ['https://loja.example'] }) });
    const event = { o: 'https://loja.example/p', ts: Date.now(), en: 'shared', ed: { token: 'invite-7' } };
    for (const path of ['/ingest/va/lnt_shop/event', '/ingest/va/event']) {
      await request(app).post(path).send(JSON.stringify(event)).expect(200);
    }
    expect(stored.map(({ properties }) => properties['token'])).toEqual(['invite-7', 'invite-7']);
    const sent = [{ event: 'a', distinct_id: 'd', properties: { token: 'lnt_shop' } }];
    for (const body of [sent, { batch: sent }, { api_key: 'lnt_shop', batch: sent }, sent[0]]) {
      await request(app)
        .post('/ingest/e/')
        .send(body as object)
        .expect(200);
    }
    expect(stored.slice(2).map(({ properties }) => properties)).toEqual([{}, {}, {}, {}]);
  });

  it('does not mind its session call', async () => {
    await request(testServer().app).post('/ingest/va/lnt_shop/session').send('{}').expect(200);
  });
});

async function listen(app: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(app as never);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function post(
  server: Server,
  path: string,
  body: object,
  isChunked = false,
): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { port: portOf(server), path, method: 'POST', agent: false, headers: { cookie: 'a=b' } },
      (res) => {
        res.resume();
        res.on('end', () => resolve({ status: res.statusCode ?? 0, retryAfter: res.headers['retry-after'] }));
      },
    );
    outgoing.on('error', reject);
    if (isChunked) outgoing.write(JSON.stringify(body));
    outgoing.end(isChunked ? '' : JSON.stringify(body));
  });
}
