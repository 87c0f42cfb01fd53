/** What the player makes of recordings: which blocks it needs, what is taken out of recorded pages, what the inspector lists. */
import type { ReplayBlock } from '#src/replays/watching/contract.ts';
import { cleanEvent } from '#views/screens/replays/clean.ts';
import { notesOf, withoutRepeats } from '#views/screens/replays/notes.ts';
import type { RecordedEvent } from '#views/screens/replays/recorded.ts';
import { createRecording, fetchFrom } from '#views/screens/replays/recording.ts';
import { readMoment, readReplays, replaysAddress } from '#views/screens/replays/replay-address.ts';
import {
  afterPause,
  blocksAfter,
  blocksAt,
  clockText,
  firstRangesOf,
  pausesOf,
  rangesOf,
  windowAt,
  windowsOf,
} from '#views/screens/replays/timeline.ts';

function block(seq: number, fromAt: number, toAt: number, more: Partial<ReplayBlock> = {}): ReplayBlock {
  return { window: 'a', seq, fromAt, toAt, hasFull: false, bytes: 100, ...more };
}

const blocks = [
  block(3, 0, 10, { hasFull: true }),
  block(4, 5, 20, { window: 'b', hasFull: true }),
  block(7, 10, 20),
  block(8, 20, 30, { hasFull: true }),
  block(9, 30, 40),
];
const seqs = (list: readonly ReplayBlock[]) => list.map(({ seq }) => seq);

describe('blocks', () => {
  it.each([
    ['a', 0, [3]],
    ['a', 15, [3, 7]],
    ['a', 25, [8]],
    ['a', 99, [8, 9]],
    ['b', 0, [4]],
    ['c', 0, []],
  ])('needs of window %s at %i those from its last full snapshot: %j', (window, at, wanted) => {
    expect(seqs(blocksAt(blocks, window, at))).toEqual(wanted);
  });

  it('come next in the order of time, as many as there is room for', () => {
    expect(seqs(blocksAfter(blocks, (seq) => seq === 3, 0, 250))).toEqual([4, 7]);
    expect(seqs(blocksAfter(blocks, () => false, 35, 1))).toEqual([9]);
  });

  it('are asked for by ranges that hold no others', () => {
    const [first, second, third, fourth] = blocks as [ReplayBlock, ReplayBlock, ReplayBlock, ReplayBlock];
    expect(rangesOf([first, third, fourth], blocks)).toEqual([
      { from: 3, to: 3 },
      { from: 7, to: 8 },
    ]);
    expect(rangesOf([third, second], blocks)).toEqual([{ from: 4, to: 7 }]);
  });

  it.each([0, 7, 15, 25, 99])('are asked for before scripts run as the player asks for them, at %i', async (at) => {
    const asked: object[] = [];
    const recording = createRecording(blocks, async (range) => void asked.push(range), false);
    await recording.prepare(windowAt(windowsOf(blocks), [], at) ?? '', at);
    expect(firstRangesOf(blocks, at)).toEqual(asked);
    expect(firstRangesOf([], at)).toEqual([]);
  });

  it('tell which windows there are, and which one was used', () => {
    const windows = windowsOf(blocks);
    expect(windows).toEqual([
      { id: 'a', from: 0, to: 40 },
      { id: 'b', from: 5, to: 20 },
    ]);
    expect(windowAt(windows, [{ window: 'b', at: 12 }], 11)).toBe('a');
    expect(windowAt(windows, [{ window: 'b', at: 12 }], 12)).toBe('b');
    expect(windowAt([], [], 0)).toBeNull();
  });
});

it('finds pauses, and leaves them a little before they end', () => {
  const pauses = pausesOf([1_000, 9_000, 10_000], { from: 0, to: 30_000 });
  expect(pauses).toEqual([
    { from: 1_000, to: 9_000 },
    { from: 10_000, to: 30_000 },
  ]);
  expect([afterPause(pauses, 500), afterPause(pauses, 3_000), afterPause(pauses, 8_500)]).toEqual([null, 8_000, null]);
});

it('writes places of a recording as clocks do', () => {
  expect([0, 59_999, 192_000, 3_723_000].map(clockText)).toEqual(['0:00', '0:59', '3:12', '1:02:03']);
});

describe('recorded pages', () => {
  const element = (tagName: string, attributes: Record<string, unknown>, childNodes: object[] = []) => ({
    type: 2,
    id: 1,
    tagName,
    attributes,
    childNodes,
  });
  const snapshot = (node: object): RecordedEvent => ({ type: 2, data: { node }, timestamp: 0 });

  it('lose what would reach the network', () => {
    const page = element('html', {}, [
      element('meta', { 'http-equiv': 'refresh', content: '0;url=https://evil.example' }),
      element('link', { rel: 'preconnect', href: 'https://evil.example' }),
      element('link', { rel: 'stylesheet', href: 'https://shop.example/a.css', _cssText: 'p{}' }),
      element('base', { href: 'https://evil.example' }),
      element('img', { src: 'https://shop.example/a.png', srcset: 'b.png 2x', alt: 'A' }),
      element('img', { src: 'data:image/png;base64,AA' }),
      element('iframe', { src: 'https://evil.example', srcdoc: '<p>' }),
      element('a', { href: '/cart', ping: 'https://evil.example' }),
    ]);
    cleanEvent(snapshot(page), false);
    expect(page.childNodes.map((child) => (child as { attributes: object }).attributes)).toEqual([
      { content: '0;url=https://evil.example' },
      { rel: 'preconnect' },
      { rel: 'stylesheet', href: 'https://shop.example/a.css', _cssText: 'p{}' },
      {},
      { 'data-src': 'https://shop.example/a.png', 'data-srcset': 'b.png 2x', alt: 'A' },
      { src: 'data:image/png;base64,AA' },
      {},
      { href: '/cart' },
    ]);
  });

  it('keep pictures and styles where they may be loaded, and nothing else', () => {
    const page = element('html', {}, [
      element('img', { src: 'https://shop.example/a.png' }),
      element('link', { rel: 'stylesheet', href: 'https://shop.example/a.css' }),
      element('link', { rel: 'prefetch', href: 'https://evil.example' }),
    ]);
    cleanEvent(snapshot(page), true);
    expect(page.childNodes.map((child) => (child as { attributes: object }).attributes)).toEqual([
      { src: 'https://shop.example/a.png' },
      { rel: 'stylesheet', href: 'https://shop.example/a.css' },
      { rel: 'prefetch' },
    ]);
  });

  it('are cleaned when they change, too', () => {
    const added = element('div', {}, [element('object', { data: 'https://evil.example' })]);
    const changed = { id: 5, attributes: { src: 'https://shop.example/b.png', class: 'on' } };
    const data = { source: 0, adds: [{ node: added }], attributes: [changed], texts: [], removes: [] };
    cleanEvent({ type: 3, data, timestamp: 0 }, false);
    expect([added.childNodes[0], changed.attributes]).toEqual([
      element('object', {}),
      { 'data-src': 'https://shop.example/b.png', class: 'on' },
    ]);
  });
});

describe('the inspector', () => {
  const plugin = (name: string, payload: object): RecordedEvent => ({
    type: 6,
    data: { plugin: name, payload },
    timestamp: 1_000,
  });

  it('lists the console and requests, and says which are problems', () => {
    const logged = notesOf(plugin('rrweb/console@1', { level: 'error', payload: ['"Frete?"', '{"a":1}'] }), 'a', 0);
    const requests = [
      { name: 'https://shop.example/api/frete?cep=1', method: 'POST', responseStatus: 500, duration: 12.3 },
      { name: 'https://shop.example/logo.png', initiatorType: 'img', duration: 2_300 },
      { name: 'data:image/png;base64,AA' },
    ];
    const network = notesOf(plugin('rrweb/network@1', { requests }), 'a', 1);
    expect([...logged, ...network].map(({ title, detail, isProblem }) => [title, detail, isProblem])).toEqual([
      ['error', 'Frete? {"a":1}', true],
      ['POST /api/frete?cep=1', '500 · 12 ms', true],
      ['img /logo.png', '2300 ms', true],
    ]);
  });

  it('lists each page once, and those of the product rather than those of the recorder', () => {
    const page = (href: string, at: number): RecordedEvent => ({ type: 4, data: { href }, timestamp: at });
    const notes = [
      page('https://shop.example/a', 1),
      page('https://shop.example/a', 2),
      page('https://s.example/b', 3),
    ].flatMap((event, index) => notesOf(event, 'a', index));
    expect(withoutRepeats(notes, false).map(({ title }) => title)).toEqual(['/a', '/b']);
    expect(withoutRepeats(notes, true)).toEqual([]);
  });
});

it('loads what is needed once, and the rest ahead', async () => {
  const asked: string[] = [];
  const recording = createRecording(
    blocks,
    async ({ from, to }, onEvents) => {
      asked.push(`${from}-${to}`);
      onEvents('a', [{ type: 3, data: { source: 2 }, timestamp: from }]);
    },
    false,
  );
  await Promise.all([recording.prepare('a', 25), recording.prepare('a', 25)]);
  expect([asked, recording.isReady('a', 25), recording.isReady('a', 5)]).toEqual([['8-8'], true, false]);
  expect(recording.loadedTo(25)).toBe(30);
  await recording.loadAhead(25);
  await recording.loadAhead(0);
  expect(asked).toEqual(['8-8', '9-9', '3-7']);
  expect([recording.loadedTo(0), recording.inputs.map(({ at }) => at)]).toEqual([Number.POSITIVE_INFINITY, [3, 8, 9]]);
});

it('reads lines however they are cut', async () => {
  const lines = [1, 2, 3].map((timestamp) => JSON.stringify({ window: 'a', event: { type: 4, data: {}, timestamp } }));
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body));
  const times: number[] = [];
  const read = fetchFrom('/blocks');
  await read(
    { from: 1, to: 2 },
    (_, events) => times.push(...events.map(({ timestamp }) => timestamp)),
    AbortSignal.any([]),
  );
  expect([times, fetched.mock.calls[0]?.[0]]).toEqual([[1, 2, 3], '/blocks?from=1&to=2']);
  fetched.mockRestore();
});

it('opens a moment ten seconds before it, and ignores what is none', () => {
  const at = (text: string) => readMoment(new URLSearchParams(text));
  expect([at('t=140'), at('t=4'), at(''), at('t=-1'), at('t=x')]).toEqual([130_000, 0, null, null, null]);
});

it('writes what is asked for into the address, and reads it again', () => {
  const address =
    '/project/1/replays?search=%2Fcheckout&event=pedido&seconds=60&show=rage&order=longest&at=2&range=today';
  const read = readReplays(new URL(address, 'https://luneta.example').searchParams);
  expect(read).toMatchObject({ search: '/checkout', event: 'pedido', minSeconds: 60, show: 'rage', sort: 'longest' });
  const written = new URL(replaysAddress('1', read), 'https://luneta.example');
  expect(readReplays(written.searchParams)).toMatchObject({ ...read, question: { range: 'today' } });
});
