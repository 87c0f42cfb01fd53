/** Streams whose end fails: a question that is cancelled when its reader goes rejects, and nobody is there to hear it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { letEnd } from '#src/kit/let-end.ts';
import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { testApp } from '../kit/app.ts';

it('ends what fails at its end without a rejection that nobody hears', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', hear);
  const ended = Promise.withResolvers<void>();
  async function* ending(): AsyncGenerator<number, void> {
    try {
      for (let n = 0; ; n++) {
        yield n;
        await new Promise(setImmediate);
      }
    } finally {
      ended.resolve();
      // biome-ignore lint/correctness/noUnsafeFinally: as a connection that is lost while it is given back
      throw new Error('the connection is lost');
    }
  }
  const luneta = testApp({
    router: router({ live: router({ test: publicProcedure.subscription(() => ending()) }) }),
    routes: [],
  });
  const server = createServer((req, res) => luneta.app(req, res)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /api/trpc/live.test HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await ended.promise;
    const own = ending();
    await own.next();
    letEnd(own);
    for (let n = 0; n < 5; n++) await new Promise(setImmediate);
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', hear);
    server.close();
    await luneta.close();
  }
});
