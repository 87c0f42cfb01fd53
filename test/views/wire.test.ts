/** Data inside a page: what the server writes, and what the browser makes of it. */
import { hashKey, QueryClient, QueryObserver } from '@tanstack/react-query';
import type { FailureCode } from '#views/call-error.ts';
import { createQueryClient, failureOf, StreamedError } from '#views/trpc.ts';
import { attach, type Batch, createAnnouncer, readBoot, scriptJson } from '#views/wire.ts';

describe('scriptJson', () => {
  test.each([
    '</script><script>alert(1)</script>',
    '<!-- <script>',
    ']]>',
    'a \u2028 b \u2029 c',
    '&lt;',
    'ação 🛒 \\u003c "quoted"',
  ])('%j survives, and means nothing to a parser of HTML', (text) => {
    const written = scriptJson({ text, [text]: [text] });
    expect(written).not.toMatch(/[<>&\u2028\u2029]/);
    // As a browser reads it: a script, not JSON.
    expect(new Function(`return ${written}`)()).toEqual({ text, [text]: [text] });
  });

  test('a member called __proto__ stays a member', () => {
    const text = '{"__proto__":{"x":1},"a":[{"__proto__":2,"b":"{\\"__proto__\\":3,\\"__proto__\\":"}]}';
    const read = new Function(`return ${scriptJson(JSON.parse(text))}`)();
    expect(JSON.stringify(read)).toBe(text);
    expect(read.x).toBeUndefined();
  });
});

/** What the server says at first of queries: of one that has settled its data, of another that it comes. */
function said(queries: Record<string, { data: unknown } | null>): Batch {
  const announcer = createAnnouncer(() => undefined);
  for (const [name, value] of Object.entries(queries)) {
    announcer.follow([name], value === null ? new Promise(() => undefined) : settledWith(value.data));
  }
  return JSON.parse(JSON.stringify(announcer.drain()));
}

/** A promise that calls back at once. */
function settledWith(data: unknown): Promise<unknown> {
  const then = (done: (value: unknown) => void) => done(data);
  return Object.assign(new Promise(() => undefined), { then });
}

const a = hashKey(['a']);

describe('the server’s end', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const query = (name: string, state: object) => ({
    queryKey: [name],
    queryHash: hashKey([name]),
    state: expect.objectContaining(state),
  });

  test('writes what settled before as data, the rest as an announcement and then its value', async () => {
    let changes = 0;
    const announcer = createAnnouncer(() => {
      changes += 1;
    });
    let finish: (value: unknown) => void = () => undefined;
    announcer.follow(['quick'], Promise.resolve(1));
    announcer.follow(['slow'], new Promise((resolve) => (finish = resolve)));
    await settle();
    expect(announcer.open).toBe(1);
    expect(announcer.drain()).toMatchObject([
      { s: { queries: [query('quick', { data: 1, status: 'success' }), query('slow', { status: 'pending' })] } },
    ]);
    expect(announcer.drain()).toEqual([]);
    finish({ late: true });
    await settle();
    expect(announcer.drain()).toEqual([{ h: hashKey(['slow']), d: { late: true } }]);
    expect(announcer.open).toBe(0);
    expect(changes).toBe(2);
  });

  test('writes a failure as its code', async () => {
    const announcer = createAnnouncer(() => undefined);
    announcer.follow(['bad'], Promise.reject(new StreamedError('timeout')));
    await settle();
    const said = announcer.drain();
    expect(said).toMatchObject([
      { s: { queries: [query('bad', { status: 'pending' })] } },
      { h: hashKey(['bad']), e: 'timeout' },
    ]);
    expect(JSON.stringify(said)).not.toContain('This part of the page');
  });
});

describe('the browser’s end', () => {
  const clients: QueryClient[] = [];
  let ended: (() => void) | null;
  let page: { __q?: Batch[] };

  /** A page that brought these batches; the later ones come through `late`. */
  function open(...batches: Batch[]) {
    ended = null;
    page = { __q: batches };
    (globalThis as { window?: unknown }).window = page;
    const client = createQueryClient();
    clients.push(client);
    const release = attach(client, {
      readyState: 'loading',
      addEventListener: (_type: string, listener: unknown) => {
        ended = listener as () => void;
      },
    } as Document);
    return { client, release, late: (batch: Batch) => page.__q?.push(batch) };
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.clear();
    (globalThis as { window?: unknown }).window = undefined;
  });

  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

  test('has what the page brought before anything is drawn', () => {
    const boot = { language: 'en' } as never;
    const { client } = open([{ b: boot }, ...said({ a: { data: 1 } })]);
    expect(client.getQueryData(['a'])).toBe(1);
  });

  test('reads the boot values', () => {
    open([{ b: { language: 'pt-BR' } as never }]);
    (globalThis as { window?: unknown }).window = { __q: [[{ b: { language: 'pt-BR' } }]] };
    expect(readBoot()).toEqual({ language: 'pt-BR' });
  });

  test('holds late values until the shell is there, and asks nothing meanwhile', async () => {
    const { client, release, late } = open(said({ a: null }));
    let asked = 0;
    const observer = new QueryObserver(client, {
      queryKey: ['a'],
      queryFn: () => {
        asked += 1;
        return 'own';
      },
    });
    const stop = observer.subscribe(() => undefined);
    late([{ h: a, d: 'streamed' }]);
    await settle();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'fetching' });
    release();
    await settle();
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', data: 'streamed' });
    expect(asked).toBe(0);
    stop();
  });

  test('takes values that come after the shell at once', async () => {
    const { client, release, late } = open(said({ a: null }));
    release();
    late([{ h: a, d: 1 }, ...said({ b: { data: 2 } })]);
    await settle();
    expect([client.getQueryData(['a']), client.getQueryData(['b'])]).toEqual([1, 2]);
  });

  test('takes a value as of now, regardless of the server’s clock', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000);
    const batch = said({ a: { data: 1 } });
    clock.mockRestore();
    const { client } = open(batch);
    const observer = new QueryObserver(client, { queryKey: ['a'], queryFn: () => Promise.reject(new Error('asked')) });
    const stop = observer.subscribe(() => undefined);
    expect(observer.getCurrentResult()).toMatchObject({ data: 1, isStale: false, fetchStatus: 'idle' });
    stop();
  });

  test('a refusal of the server is shown at once', async () => {
    const { client, release, late } = open(said({ a: null }));
    release();
    late([{ h: a, e: 'forbidden' }]);
    await settle();
    const { status, error } = client.getQueryState(['a']) ?? {};
    expect(status).toBe('error');
    expect(failureOf(error)).toEqual({ code: 'forbidden' });
  });

  // Only of the last one is it said that the server cannot be reached.
  test.each<[string, FailureCode, (late: (batch: Batch) => void) => void]>([
    ['a failure of the server', 'internal', (late) => late([{ h: a, e: 'internal' }])],
    ['a page that takes too long', 'timeout', (late) => late([{ z: 'timeout' }])],
    ['a connection that was cut', 'network', () => ended?.()],
  ])('%s is asked again over HTTP, once it is seen', async (_name, code, fail) => {
    const { client, release, late } = open(said({ a: null }));
    client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 0 } });
    let asked = 0;
    const observer = new QueryObserver(client, {
      queryKey: ['a'],
      retryDelay: 0,
      queryFn: () => {
        asked += 1;
        return 'own';
      },
    });
    const stop = observer.subscribe(() => undefined);
    const failures: FailureCode[] = [];
    client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'failed') failures.push(failureOf(event.action.error).code);
    });
    release();
    fail(late);
    for (let wait = 0; wait < 300 && asked === 0; wait += 1) await settle();
    await settle();
    expect(asked).toBe(1);
    expect(observer.getCurrentResult().data).toBe('own');
    expect(failures).toEqual([code]);
    stop();
  });

  test('works with a client of any defaults', () => {
    const client = new QueryClient();
    clients.push(client);
    (globalThis as { window?: unknown }).window = {};
    expect(() => attach(client, { readyState: 'complete', addEventListener: () => undefined })()).not.toThrow();
  });
});
