/** Beginning, death and end of the thread that draws. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import request from 'supertest';
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { createScreensThread, type Main, type ScreensThread } from '#src/screens-thread.ts';
import { handOver } from '#src/web/handover.ts';

const file = join(process.cwd(), 'test/web/dying-screens.mjs');
const opened: { screens: ScreensThread; server: Server }[] = [];
afterEach(async () => {
  for (const { screens, server } of opened.splice(0)) {
    await screens.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** With a small heap, which `/fills` is through with soon. */
function open(config = '') {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
  const clock = { ...systemClock, elapsed: () => now };
  let now = 1_000;
  const screens = createScreensThread({
    ...{ file, config: config as never, stamp: undefined, answers: {} as Main, log, clock },
    maxHeapMb: 48,
  });
  const listener = handOver({ open: screens.open, refuse: (_req, res) => res.writeHead(503).end('away') });
  const server = createServer(listener).listen(0, '127.0.0.1');
  opened.push({ screens, server });
  return { screens, server, lines, advance: (ms: number) => (now += ms) };
}

it('is begun by the first who asks, once, and not before', async () => {
  const { screens, server } = open();
  expect(await screens.ask('waiting')).toBeNull();
  const answers = await Promise.all(['/a', '/b', '/c'].map((path) => request(server).get(path)));
  expect(answers.map(({ text }) => text)).toEqual(['drawn', 'drawn', 'drawn']);
  expect(await screens.ask('waiting')).toBe(3);
  const address = await screens.open();
  expect(await screens.open()).toBe(address);
  await screens.stop();
  expect(existsSync(dirname(address))).toBe(false);
  await request(server).get('/').expect(503);
});

it.each(['/throws', '/leaves', '/fills'])('is begun again after its death: %s', async (path) => {
  const { screens, server, lines } = open();
  const first = await screens.open();
  await request(server).get(path).expect(503, 'away');
  await request(server).get('/').expect(200, 'drawn');
  expect(await screens.open()).not.toBe(first);
  expect(existsSync(dirname(first))).toBe(false);
  expect(lines).toEqual(['page renderer thread exited; restarting on next request']);
});

it('leaves half an answer half', async () => {
  const { server } = open();
  await expect(request(server).get('/half')).rejects.toThrow('aborted');
  await request(server).get('/').expect(200);
});

it('is not tried with each request when it cannot be begun', async () => {
  const { server, lines, advance } = open('broken');
  for (let time = 0; time < 3; time++) await request(server).get('/').expect(503, 'away');
  expect(lines).toHaveLength(1);
  advance(1_000);
  await request(server).get('/').expect(503, 'away');
  expect(lines).toHaveLength(2);
});

it('removes what killed processes left, and leaves those alone who listen', async () => {
  const { screens } = open();
  const living = await screens.open();
  const dead = mkdtempSync(join(tmpdir(), 'luneta-screens-'));
  const script = `require('net').createServer().listen(${JSON.stringify(join(dead, 'socket'))}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
  const starting = mkdtempSync(join(tmpdir(), 'luneta-screens-'));
  const other = open();
  await other.screens.open();
  expect([dead, starting, dirname(living)].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  rmSync(starting, { recursive: true });
});
