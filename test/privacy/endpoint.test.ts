/** The file of an export over HTTP, when the client disconnects. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Rooms } from '#src/trpc/context.ts';
import { testApp } from '#test/kit/app.ts';

it('ends when the client disconnects, which may fetch it again, and reports nothing', async () => {
  let isOver = false;
  const given: number[] = [];
  async function* pieces() {
    try {
      for (;;) {
        yield 'a line\n';
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      isOver = true;
    }
  }
  const file = async () => ({ type: 'application/x-ndjson', fileName: 'person.ndjson', pieces: pieces() });
  const limits = {
    exporting: (project: number) => () => {
      given.push(project);
    },
  };
  const { app, reported, close } = testApp({
    rooms: {
      privacy: { file } as Partial<Rooms['privacy']> as Rooms['privacy'],
      limits: limits as Partial<Rooms['limits']> as Rooms['limits'],
    },
  });
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hangUp = new AbortController();
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/exports/1/1`, {
    headers: { Host: 'localhost:3000' },
    signal: hangUp.signal,
  });
  const { status } = answer;
  await answer.body?.getReader().read();
  hangUp.abort();
  for (let looked = 0; looked < 200 && given.length === 0; looked++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 50));
  server.closeAllConnections();
  server.close();
  await close();
  expect([status, isOver, given, reported]).toEqual([200, true, [1], []]);
});
