/** Threads as the program uses them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Worker } from 'node:worker_threads';
import { cancelFlag, eachChunk, raise, underFlag } from '#src/columns/threads/cancelling.ts';
import { createThreads } from '#src/columns/threads/threads.ts';
import { warmUp } from '#src/columns/threads/warm-up.ts';
import { Cancelled } from '#src/kit/cancelled.ts';
import { CopyRows } from '#src/store/copy.ts';

const nothing = { task: 'merge', plan: { groups: 1, mergedInto: null }, parts: [] } as const;

it('tells of a failing task and goes on with the next', async () => {
  const threads = createThreads(1);
  try {
    const broken = { ...nothing, parts: null as never };
    const results = await Promise.allSettled([threads.run(nothing), threads.run(broken), threads.run(nothing)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  } finally {
    await threads.stop();
  }
});

it('gives up what is under way when it is stopped, and takes nothing after', async () => {
  const threads = createThreads(2);
  await threads.run(nothing, 'background');
  const running = threads.run(nothing).catch((error: Error) => error.message);
  await threads.stop();
  expect(['column worker thread exited', expect.objectContaining({ people: 0 })]).toContainEqual(await running);
  await expect(threads.run(nothing)).rejects.toThrow('stopped');
});

it('answers while it practises, and ends in the middle of it without a word', async () => {
  expect(() => warmUp()).not.toThrow();
  const threads = createThreads(2);
  const warming = threads.warmUp();
  expect(await threads.run(nothing)).toMatchObject({ people: 0 });
  await threads.stop();
  await warming;
});

it('leaves practice until who asked has been answered', async () => {
  const sent: string[] = [];
  const post = Worker.prototype.postMessage;
  const spy = jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...message) {
    sent.push((message[0] as { task: unknown }).task === null ? 'practice' : 'task');
    post.apply(this, message);
  });
  const threads = createThreads(1, { rounds: 3 });
  try {
    const running = threads.run(nothing);
    const warming = threads.warmUp();
    await running;
    expect(sent).toEqual(['task']);
    await warming;
    expect(sent.filter((each) => each === 'practice').length).toBe(3);
  } finally {
    spy.mockRestore();
    await threads.stop();
  }
});

it('drops the tasks of a query that was cancelled, and no others', async () => {
  let dropped = 0;
  const threads = createThreads(1, { onCancelled: () => dropped++ });
  const gone = new AbortController();
  const query = threads.cancellable(gone.signal);
  try {
    await query.run(nothing);
    const waiting = [threads.run(nothing), query.run(nothing), query.run(nothing), threads.run(nothing)];
    gone.abort();
    waiting.push(query.run(nothing));
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected']);
    for (const each of results) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(Cancelled);
    expect(dropped).toBe(2);
  } finally {
    await threads.stop();
  }
});

it('ends a task between two chunks', () => {
  const flag = cancelFlag();
  const begun: number[] = [];
  const count = () =>
    underFlag(flag, () =>
      eachChunk([1, 2, 3], (chunk) => {
        begun.push(chunk);
        if (chunk === 2) raise(flag);
      }),
    );
  expect(count).toThrow(Cancelled);
  expect(begun).toEqual([1, 2]);
});

it('makes no thread to warm up once it is stopped', async () => {
  let made = 0;
  const count = () => {
    made++;
  };
  const threads = createThreads(1, { rounds: 1 });
  subscribe('worker_threads', count);
  try {
    await threads.warmUp();
    expect(made).toBe(1);
    await threads.stop();
    const stopped = createThreads(1);
    await stopped.stop();
    await stopped.warmUp();
    expect(made).toBe(1);
  } finally {
    unsubscribe('worker_threads', count);
    await threads.stop();
  }
});

it('ends the thread of the background when it has rested, and begins another for what comes then', async () => {
  const begun: Worker[] = [];
  const note = (message: unknown) => begun.push((message as { worker: Worker }).worker);
  const threads = createThreads(1, { restMs: 1 });
  subscribe('worker_threads', note);
  try {
    await Promise.all([threads.run(nothing, 'background'), threads.run(nothing, 'background')]);
    expect(begun.length).toBe(1);
    await new Promise((resolve) => begun[0]?.once('exit', resolve));
    expect(await threads.run(nothing, 'background')).toMatchObject({ people: 0 });
    expect(begun.length).toBe(2);
  } finally {
    unsubscribe('worker_threads', note);
    await threads.stop();
  }
});

const HEADER_BYTES = 19;

/** Events with these properties, as COPY gives them. */
function copied(properties: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  const copy = new CopyRows(100);
  for (const text of properties) {
    copy.row(12);
    copy.time(0);
    for (let at = 0; at < 10; at++) copy.absent();
    copy.json(text);
  }
  // Around it is what goes with a COPY into PostgreSQL only.
  return new Uint8Array(copy.finish().subarray(5, -5));
}

const step = { task: 'encodeEvents', encoding: 1, shared: false } as const;

it('keeps tasks that build on each other in one thread, while others go elsewhere', async () => {
  const threads = createThreads(2, { restMs: 1 });
  try {
    for (const where of [undefined, 'background'] as const) {
      const sequence = threads.sequence(where);
      expect(await sequence.run({ ...step, step: 'more', rows: [copied([null])] })).toEqual([]);
      await Promise.all([threads.run(nothing, where), threads.run(nothing, where), threads.run(nothing, where)]);
      // Longer than the thread of the background rests.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await sequence.run({ ...step, step: 'last', rows: [] })).toMatchObject([{ day: 0, rows: 1 }]);
      sequence.end();
    }
  } finally {
    await threads.stop();
  }
});

it('says that there is too little memory when a thread ends of it, also to what builds on it, and goes on', async () => {
  const threads = createThreads(1, { maxHeapMb: 16 });
  try {
    const sequence = threads.sequence();
    const task = { ...step, only: ['a'] };
    await sequence.run({ ...task, step: 'more', rows: [copied([null])] });
    const values = Array.from({ length: 300_000 }, (_, at) => `{"a": "another value ${at}"}`);
    const tooMuch = { code: 'too_large' };
    const rows = [copied(values).subarray(HEADER_BYTES)];
    await expect(sequence.run({ ...task, step: 'more', rows })).rejects.toMatchObject(tooMuch);
    await expect(sequence.run({ ...task, step: 'last', rows: [] })).rejects.toMatchObject(tooMuch);
    expect(await threads.run(nothing)).toMatchObject({ people: 0 });
  } finally {
    await threads.stop();
  }
});
