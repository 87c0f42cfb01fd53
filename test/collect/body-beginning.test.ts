/** A large body is refused by its token before its events are parsed, wherever the token stands; one of a project is read as it always was. */
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import type { JsonObject } from '#src/kit/json.ts';
import fc from '#test/kit/fast-check.ts';
import { testServer } from './server.ts';

/** What may be parsed of a body of a megabyte before it is refused: what lies around the events, and the first of them. */
const MAX_PARSED = 200_000;

const filler = (at: number): JsonObject => ({
  event: 'seen',
  distinct_id: `u${at}`,
  properties: { text: 'x'.repeat(1000) },
});
const events = () => Array.from({ length: 1_200 }, (_, at) => filler(at));
const withToken = (token: string, name: string) => events().map((event) => ({ ...event, [name]: token }));
const inProperties = (token: string) =>
  events().map((event) => ({ ...event, properties: { ...(event['properties'] as JsonObject), token } }));

/** Every place where the token of a batch may stand. */
const places: Record<string, (token: string) => { text: string; query?: string }> = {
  'token before the events': (token) => ({ text: JSON.stringify({ token, batch: events() }) }),
  'api_key before the events': (token) => ({ text: JSON.stringify({ api_key: token, sent_at: 'x', batch: events() }) }),
  'behind a list of another name': (token) => ({ text: JSON.stringify({ a: { batch: [1] }, token, batch: events() }) }),
  'api_key behind the events': (token) => ({ text: JSON.stringify({ batch: events(), api_key: token }) }),
  'the address, with a list': (token) => ({ text: JSON.stringify(events()), query: `?token=${token}` }),
  'the address, with an envelope': (token) => ({ text: JSON.stringify({ batch: events() }), query: `?token=${token}` }),
  'token of listed events': (token) => ({ text: JSON.stringify(withToken(token, 'token')) }),
  '$token of listed events': (token) => ({ text: ` ${JSON.stringify(withToken(token, '$token'), null, 1)}` }),
  'api_key of enveloped events': (token) => ({ text: JSON.stringify({ batch: withToken(token, 'api_key') }) }),
  'token of properties': (token) => ({ text: JSON.stringify(inProperties(token)) }),
  'not the first event': (token) => ({ text: JSON.stringify([...events().slice(0, 5), ...inProperties(token)]) }),
};

const forms: Record<string, (text: string) => { body: Buffer | string; type: string }> = {
  json: (text) => ({ body: text, type: 'application/json' }),
  gzip: (text) => ({ body: gzipSync(text), type: 'text/plain' }),
  'form with base64': (text) => ({
    body: `data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`,
    type: 'application/x-www-form-urlencoded',
  }),
};

const cases = Object.keys(places).flatMap((place) => Object.keys(forms).map((form) => [place, form] as const));

async function post(server: ReturnType<typeof testServer>, text: string, form = 'json', query = '') {
  const { body, type } = (forms[form] as NonNullable<(typeof forms)[string]>)(text);
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const { status } = await request(server.app).post(`/ingest/batch/${query}`).set('Content-Type', type).send(body);
    const parsed = parse.mock.calls.reduce((sum, [each]) => sum + String(each).length, 0);
    return { status, parsed };
  } finally {
    parse.mockRestore();
  }
}

describe('a large body', () => {
  it.each(cases)('token at: %s; as %s', async (place, form) => {
    const { text, query } = (places[place] as NonNullable<(typeof places)[string]>)('lnt_shop');
    const known = testServer();
    expect(await post(known, text, form, query)).toMatchObject({ status: 200 });
    expect(known.stored.length).toBeGreaterThanOrEqual(1_200);
    const unknown = testServer();
    const foreign = text.replaceAll('lnt_shop', 'lnt_nobody');
    const answer = await post(unknown, foreign, form, query?.replace('lnt_shop', 'lnt_nobody'));
    expect(answer.status).toBe(401);
    expect(answer.parsed).toBeLessThan(MAX_PARSED);
  });

  it('without any token is refused by its first events', async () => {
    const { status, parsed } = await post(testServer(), JSON.stringify({ batch: events() }));
    expect(status).toBe(401);
    expect(parsed).toBeLessThan(MAX_PARSED);
  });

  it('is kept while the database does not say whose it is', async () => {
    const server = testServer();
    server.state.projectsAway = true;
    const { status } = await post(server, JSON.stringify({ api_key: 'lnt_later', batch: events() }));
    expect(status).toBe(503);
  });

  it('means what the same body means when it is small', async () => {
    const token = fc.constantFrom('lnt_shop', 'phc_shop', 'lnt_nobody', '', null, 7, undefined);
    const tokens = fc.record({ token, api_key: token, $token: token }, { requiredKeys: [] });
    const event = fc.record({ own: tokens, properties: tokens });
    const body = fc.record({
      around: tokens,
      isList: fc.boolean(),
      isBehind: fc.boolean(),
      every: event,
      query: fc.constantFrom('', '?token=lnt_shop', '?api_key=lnt_nobody'),
    });
    const property = fc.asyncProperty(body, async ({ around, isList, isBehind, every, query }) => {
      const statusOf = async (length: number) => {
        const one = {
          event: 'a',
          distinct_id: 'd',
          ...every.own,
          properties: { ...every.properties, x: 'x'.repeat(length) },
        };
        const batch = [one, one, one];
        const envelope = isBehind ? { batch, ...around } : { ...around, batch };
        return (await post(testServer(), JSON.stringify(isList ? batch : envelope), 'json', query)).status;
      };
      expect(await statusOf(60_000)).toBe(await statusOf(10));
    });
    await fc.assert(property, { numRuns: 75 });
  });
});
