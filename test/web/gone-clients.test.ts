/** Clients that hang up before their call begins: nothing of it stays behind. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { testApp } from '../kit/app.ts';

it('gives back the place of a heavy call whose client went while it was being counted', async () => {
  let counted = () => {};
  const counting = new Promise<void>((resolve) => {
    counted = resolve;
  });
  let letOn = () => {};
  const gone = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  const places: string[] = [];
  const heavy = () => {
    places.push('taken');
    return () => places.push('given back');
  };
  const calls = async () => {
    counted();
    await gone;
  };
  const limits = { calls, heavy } as never;
  const asked = router({ insights: router({ test: publicProcedure.query(() => 'answered') }) });
  const luneta = testApp({ router: asked, routes: [], rooms: { limits } });
  const server = createServer((req, res) => {
    res.once('close', letOn);
    luneta.app(req, res);
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /api/trpc/insights.test HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await counting;
    socket.destroy();
    await gone;
    await new Promise(setImmediate);
    expect(places).toEqual(['taken', 'given back']);
  } finally {
    server.close();
    await luneta.close();
  }
});
