/** The client of the screens against the real server code, and against answers that are none. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { QueryClient } from '@tanstack/react-query';
import { getUntypedClient } from '@trpc/client';
import * as z from 'zod/mini';
import { AppError } from '#src/kit/errors.ts';
import { projectProcedure, publicProcedure, router } from '#src/trpc/procedure.ts';
import { createClient, createQueryClient, failureOf, retryDelay, shouldRetry } from '#views/trpc.ts';
import { type TestApp, testApp } from '../kit/app.ts';

const calls = router({
  test: router({
    none: publicProcedure.query(() => ({ value: 1 })),
    nothing: publicProcedure.query(() => undefined),
    echo: publicProcedure.input(z.object({ text: z.string() })).query(({ input }) => input.text),
    date: publicProcedure.query(() => ({ at: new Date(86_400_000), of: new Map([['a', 1]]) })),
    project: projectProcedure.query(({ ctx }) => ctx.project.name),
    busy: publicProcedure.query(() => {
      throw new AppError('rate_limited', 'Too many.', { retryAfterSec: 7 });
    }),
    broken: publicProcedure.query(() => {
      throw new Error('relation "secrets" does not exist');
    }),
    change: publicProcedure.input(z.object({ to: z.string() })).mutation(({ input }) => `is ${input.to}`),
  }),
});

/** Procedures of a test's router, by path. */
const open = (fetch: typeof globalThis.fetch = globalThis.fetch) => {
  const client = getUntypedClient(createClient({ url: address(), fetch }));
  return { query: client.query.bind(client), mutation: client.mutation.bind(client) };
};

let server: Server;
let asked: { method: string; url: string; body: string }[];
let test: TestApp;
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/trpc`;

async function listen(handler: (req: IncomingMessage, res: ServerResponse) => void): Promise<void> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** As a page of ours would send it. */
const asPage: typeof fetch = async (input, init) => {
  const body = typeof init?.body === 'string' ? init.body : '';
  asked.push({ method: init?.method ?? 'GET', url: String(input), body });
  return fetch(input, { ...init, headers: { ...init?.headers, Origin: 'http://localhost:3000' } });
};

beforeEach(() => {
  asked = [];
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('against the real server', () => {
  beforeEach(async () => {
    test = testApp({ router: calls });
    await listen(test.app);
  });
  afterEach(() => test.close());

  it('sends calls of one tick together, by GET, each with its own answer', async () => {
    const { query } = open(asPage);
    const answers = await Promise.allSettled([
      query('test.none', undefined),
      query('test.echo', { text: 'olá & adeus' }),
      query('test.project', { project: '1' }),
      query('test.project', { project: '99' }),
      query('test.nothing', undefined),
    ]);
    expect(asked).toHaveLength(1);
    const { pathname, searchParams } = new URL(asked[0]?.url ?? '');
    expect(asked[0]?.method).toBe('GET');
    expect(pathname).toBe('/api/trpc/test.none,test.echo,test.project,test.project,test.nothing');
    expect(searchParams.get('batch')).toBe('1');
    expect(JSON.parse(searchParams.get('input') ?? '')[1]).toEqual({ json: { text: 'olá & adeus' } });
    expect(answers.map((answer) => ('value' in answer ? answer.value : failureOf(answer.reason).code))).toEqual([
      { value: 1 },
      'olá & adeus',
      'Café Serrana',
      'not_found',
      undefined,
    ]);
  });

  it('sends mutations by POST with a JSON body', async () => {
    expect(await open(asPage).mutation('test.change', { to: 'new' })).toBe('is new');
    expect(asked).toEqual([
      { method: 'POST', url: `${address()}/test.change?batch=1`, body: '{"0":{"json":{"to":"new"}}}' },
    ]);
  });

  it('splits what would make the address too long', async () => {
    const { query } = open(asPage);
    const text = 'x'.repeat(2_000);
    const answers = await Promise.all([0, 1, 2, 3].map(() => query('test.echo', { text })));
    expect(answers).toEqual([text, text, text, text]);
    expect(asked.length).toBeGreaterThan(1);
    for (const { url } of asked) expect(url.length).toBeLessThan(7_100);
  });

  it('sends a question alone, by GET, that is longer than addresses should be', async () => {
    const { query } = open(asPage);
    const long = 'ã'.repeat(2_000);
    expect(await Promise.all([query('test.echo', { text: long }), query('test.echo', { text: 'short' })])).toEqual([
      long,
      'short',
    ]);
    expect(asked.map(({ method, url }) => [method, url.length > 7_000])).toEqual([
      ['GET', true],
      ['GET', false],
    ]);
  });

  it('reads values that are more than JSON', async () => {
    expect(await open(asPage).query('test.date', undefined)).toEqual({
      at: new Date(86_400_000),
      of: new Map([['a', 1]]),
    });
  });

  it('gives errors their code, field and request id, and never their cause', async () => {
    const { query } = open(asPage);
    const failed = async (path: string, input?: unknown) => {
      const error = (await query(path, input).catch((reason: unknown) => reason)) as Error;
      return { ...failureOf(error), message: error.message };
    };
    expect(await failed('test.echo', { text: 5 })).toMatchObject({ code: 'invalid', field: 'text' });
    expect(await failed('test.busy')).toMatchObject({ code: 'rate_limited', retryAfterSec: 7, message: 'Too many.' });
    expect(await failed('test.absent')).toMatchObject({ code: 'not_found' });
    const broken = await failed('test.broken');
    expect(broken).toMatchObject({ code: 'internal', requestId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(JSON.stringify(broken)).not.toContain('secrets');
  });

  it('passes on what the HTTP layer refuses', async () => {
    const refused = await open()
      .mutation('test.change', { to: 'new' })
      .catch((reason: unknown) => reason);
    expect(failureOf(refused)).toMatchObject({ code: 'forbidden', requestId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });
});

describe('answers that are none', () => {
  const garbled: [string, string][] = [
    ['another program’s page', '<html><h1>502 Bad Gateway</h1></html>'],
    ['half an answer', '[{"result":{"data":{"json":{"a'],
    ['an empty answer', ''],
    ['JSON of something else', '{"hello":"world"}'],
    ['a list of something else', '[1]'],
    ['null', 'null'],
    ['notes that superjson refuses', '[{"result":{"data":{"json":{},"meta":{"values":{"__proto__.x":["Date"]}}}}}]'],
  ];
  it.each(garbled)('%s cannot be read', async (_name, text) => {
    await listen((_req, res) => res.end(text));
    const error = await open()
      .query('a.b', undefined)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'Unable to transform response from server' });
    expect(failureOf(error)).toEqual({ code: 'unreadable' });
  });

  it('a connection that breaks is a network failure', async () => {
    await listen((req) => req.socket.destroy());
    const error = await open()
      .query('a.b', undefined)
      .catch((reason: unknown) => reason);
    expect(failureOf(error)).toEqual({ code: 'network' });
  });
});

describe('retries', () => {
  /** A client with the product's policy whose waits are recorded, not waited for. */
  async function attempts(answer: (attempt: number, res: ServerResponse) => void) {
    let count = 0;
    await listen((_req, res) => answer(++count, res));
    const waits: number[] = [];
    const client = new QueryClient({
      defaultOptions: {
        queries: {
          retry(failures, error) {
            const again = shouldRetry(failures, error);
            if (again) waits.push(retryDelay(failures, error));
            return again;
          },
          retryDelay: 0,
        },
      },
    });
    const { query } = open();
    const outcome = await client.fetchQuery({ queryKey: ['a'], queryFn: () => query('a.b', undefined) }).then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: failureOf(error).code }),
    );
    client.clear();
    return { count, waits, ...outcome };
  }

  const refusal = (appCode: string, more = {}) =>
    JSON.stringify([{ error: { json: { message: 'no', code: -1, data: { appCode, ...more } } } }]);

  it('of server errors: three, after 1, 2 and 4 s', async () => {
    const failing = await attempts((_count, res) => res.writeHead(500).end(refusal('internal')));
    expect(failing).toEqual({ count: 4, waits: [1_000, 2_000, 4_000], failure: 'internal' });
  });

  it('of broken connections and garbled answers alike', async () => {
    expect(await attempts((_count, res) => res.destroy())).toMatchObject({ count: 4, waits: [1_000, 2_000, 4_000] });
    server.close();
    expect(await attempts((_count, res) => res.end('oops'))).toMatchObject({ count: 4, failure: 'unreadable' });
  });

  it('end with the first answer', async () => {
    const recovering = await attempts((count, res) =>
      count < 3 ? res.writeHead(503).end(refusal('unavailable')) : res.end('[{"result":{"data":{"json":"ok"}}}]'),
    );
    expect(recovering).toEqual({ count: 3, waits: [1_000, 2_000], value: 'ok' });
  });

  it.each(['invalid', 'unauthenticated', 'forbidden', 'not_found', 'conflict', 'too_large'])(
    'never of a refusal: %s',
    async (code) => {
      expect(await attempts((_count, res) => res.end(refusal(code)))).toEqual({ count: 1, waits: [], failure: code });
    },
  );

  it('of "too many": once, when the server says', async () => {
    const busy = await attempts((_count, res) => res.end(refusal('rate_limited', { retryAfterSec: 12 })));
    expect(busy).toEqual({ count: 2, waits: [12_000], failure: 'rate_limited' });
  });

  it('are the product’s own', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({ retry: shouldRetry, retryDelay, gcTime: 300_000 });
    expect(Number(queries?.staleTime)).toBeGreaterThan(0);
    expect(mutations).toEqual({ retry: false });
  });

  it('wait no longer than 30 s', () => {
    expect([0, 1, 2, 5, 9].map((failures) => retryDelay(failures, new Error('x')))).toEqual([
      1_000, 2_000, 4_000, 30_000, 30_000,
    ]);
  });
});
