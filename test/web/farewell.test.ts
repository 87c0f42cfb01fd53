import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from '@jest/globals';
import { startServer } from '#src/web/server.ts';
import { until } from '#test/kit/until.ts';

// Each turn of the loop accepts one connection: with turns of 25 ms, the queue is longer than the usual farewell.
it('answers what was written before it was stopped, however long the queue of connections is', async () => {
  const server = await startServer((_, res) => res.end('answered'), { port: 0, host: '127.0.0.1' });
  let isBusy = true;
  const turn = () => {
    const since = performance.now();
    while (performance.now() - since < 25);
    if (isBusy) setImmediate(turn);
  };
  let written = 0;
  const statuses = Array.from({ length: 90 }, async () => {
    const call = request(server.url, { agent: false, method: 'POST' });
    call.on('finish', () => {
      written += 1;
    });
    call.end('{}');
    const [response] = await once(call, 'response').catch(() => [{ statusCode: 0, resume: () => undefined }]);
    response.resume();
    return response.statusCode;
  });
  await new Promise((resolve) => setImmediate(resolve));
  turn();
  await until(() => written === 90);
  await server.stop(5_000);
  isBusy = false;
  expect(await Promise.all(statuses)).toEqual(Array(90).fill(200));
});
