/** Tabs of one browser: whatever happens in which order, in the end all of them show the reader of the session. */
import { QueryClient } from '@tanstack/react-query';
import { CallError } from '#views/call-error.ts';
import { watchSession } from '#views/session-change.ts';
import fc from '../kit/fast-check.ts';

const me = [['accounts', 'me'], { type: 'query' }];
/** After a chance for promises that are settled to be noticed. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A browser with its tabs; messages between them arrive when they are let. */
class FakeBrowser {
  session: string | null = null;
  readonly tabs = new Map<number, FakeTab>();
  readonly waiting: (() => void)[] = [];
  private readonly open = new Set<FakeChannel>();

  constructor() {
    const browser = this;
    globalThis.BroadcastChannel = class extends FakeChannel {
      constructor() {
        super(browser);
      }
    } as unknown as typeof BroadcastChannel;
  }

  join(channel: FakeChannel): void {
    this.open.add(channel);
  }

  leave(channel: FakeChannel): void {
    this.open.delete(channel);
  }

  send(from: FakeChannel, data: unknown): void {
    for (const channel of this.open) {
      if (channel === from) continue;
      this.waiting.push(() => {
        if (this.open.has(channel)) channel.onmessage?.({ data });
      });
    }
  }

  /** Until nothing waits any more. */
  async settle(): Promise<void> {
    for (let round = 0; round < 200; round++) {
      const next = this.waiting.shift();
      next?.();
      for (const tab of this.tabs.values()) tab.goOn();
      await turn();
      if (this.waiting.length === 0 && [...this.tabs.values()].every(({ isSettled }) => isSettled)) return;
    }
    throw new Error('The tabs reload one another without an end.');
  }
}

class FakeChannel {
  onmessage: ((message: { data: unknown }) => void) | null = null;

  private readonly browser: FakeBrowser;

  constructor(browser: FakeBrowser) {
    this.browser = browser;
    browser.join(this);
  }

  postMessage(data: unknown): void {
    this.browser.send(this, data);
  }

  close(): void {
    this.browser.leave(this);
  }
}

/** A page is fetched, then its code runs; the kept shell asks who reads it only then. */
class FakeTab {
  shown: string | null | undefined;
  reloads = 0;
  private isQuick = false;
  private next: (() => void) | null = null;
  private stop: () => void = () => undefined;
  readonly queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

  private readonly browser: FakeBrowser;

  constructor(browser: FakeBrowser) {
    this.browser = browser;
  }

  get isSettled(): boolean {
    return this.next === null;
  }

  load(how: 'page' | 'shell' | 'quick shell'): void {
    this.stop();
    this.queryClient.clear();
    this.shown = undefined;
    this.isQuick = how === 'quick shell';
    const reader = how === 'page' ? this.browser.session : undefined;
    this.next = () => {
      this.next = null;
      this.shown = reader;
      // The code that watches comes when the page rests: the shell may have its first answer by then.
      if (reader === undefined && this.isQuick) {
        this.answerMe();
        this.next = () => this.watch(reader);
      } else {
        this.watch(reader);
        if (reader === undefined) this.next = () => this.answerMe();
      }
    };
  }

  /** Of the shell: who is signed in, or a refusal. */
  private answerMe(): void {
    this.next = null;
    this.shown = this.browser.session;
    void this.ask(me, () => this.browser.session);
  }

  ask(queryKey: unknown[], find: () => string | null): Promise<unknown> {
    const queryFn = async () => {
      const uuid = find();
      if (uuid === null) throw refused('unauthenticated');
      return { uuid };
    };
    return this.queryClient.fetchQuery({ queryKey, queryFn }).catch(() => undefined);
  }

  fail(code: 'not_found' | 'unauthenticated'): Promise<unknown> {
    const queryFn = () => Promise.reject(refused(code));
    return this.queryClient.fetchQuery({ queryKey: [['events', 'now'], code], queryFn }).catch(() => undefined);
  }

  private watch(reader: string | null | undefined): void {
    this.next = null;
    this.stop = watchSession({
      reader,
      queryClient: this.queryClient,
      askReader: async () => {
        if (this.browser.session === null) throw refused('unauthenticated');
        return this.browser.session;
      },
      reload: () => {
        this.reloads++;
        this.load('page');
      },
    });
  }

  goOn(): void {
    this.next?.();
  }

  close(): void {
    this.stop();
    this.queryClient.clear();
  }
}

function refused(appCode: 'not_found' | 'unauthenticated'): CallError {
  return new CallError('refused', { appCode });
}

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('enter' as const), tab: fc.nat(2), reader: fc.constantFrom('marina', 'rui', null) }),
    fc.record({
      do: fc.constant('load' as const),
      tab: fc.nat(2),
      how: fc.constantFrom('page' as const, 'shell' as const, 'quick shell' as const),
    }),
    fc.record({ do: fc.constant('goOn' as const), tab: fc.nat(2) }),
    fc.record({ do: fc.constant('deliver' as const) }),
  ),
  { maxLength: 25 },
);

it('ends with the reader of the session in each tab', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const browser = new FakeBrowser();
      for (const tab of [0, 1, 2]) browser.tabs.set(tab, new FakeTab(browser));
      for (const step of all) {
        if (step.do === 'deliver') browser.waiting.shift()?.();
        else {
          const tab = browser.tabs.get(step.tab) as FakeTab;
          if (step.do === 'goOn') tab.goOn();
          else if (step.do === 'load') tab.load(step.how);
          else {
            // Signing in and out lead to another page.
            browser.session = step.reader;
            tab.load('page');
          }
        }
        await turn();
      }
      await browser.settle();
      const opened = [...browser.tabs.values()].filter(({ shown }) => shown !== undefined);
      expect(opened.map(({ shown }) => shown)).toEqual(opened.map(() => browser.session));
      for (const tab of browser.tabs.values()) tab.close();
    }),
    { numRuns: 200 },
  );
});

it('asks who is signed in when something is missing, and loads again when it is another reader', async () => {
  const browser = new FakeBrowser();
  browser.session = 'marina';
  const tab = new FakeTab(browser);
  browser.tabs.set(0, tab);
  tab.load('page');
  await browser.settle();
  await tab.fail('not_found');
  await turn();
  expect(tab.reloads).toBe(0);
  tab.load('page');
  await browser.settle();
  browser.session = 'rui';
  await tab.fail('not_found');
  await turn();
  await browser.settle();
  expect([tab.reloads, tab.shown]).toEqual([1, 'rui']);
  browser.session = null;
  await tab.fail('unauthenticated');
  await browser.settle();
  expect([tab.reloads, tab.shown]).toEqual([2, null]);
  tab.close();
});

it('leaves a shell alone whose reader is not signed in', async () => {
  const browser = new FakeBrowser();
  const tab = new FakeTab(browser);
  browser.tabs.set(0, tab);
  tab.load('shell');
  await browser.settle();
  expect([tab.reloads, tab.shown]).toEqual([0, null]);
  tab.close();
});
