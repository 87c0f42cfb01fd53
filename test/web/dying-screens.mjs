/** A thread as `screens.ts` is one for its process, that ends in the ways threads end. */
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { address, config } = workerData;
if (config === 'broken') throw new Error('no such thing');

const server = createServer((req, res) => {
  if (req.url === '/throws') setImmediate(() => undefined.nothing);
  else if (req.url === '/leaves') process.exit(3);
  else if (req.url === '/fills') {
    let kept = null;
    for (;;) kept = { kept };
  } else if (req.url === '/half') {
    res.write('half');
    setTimeout(() => undefined.nothing, 20);
  } else res.end('drawn');
});
const listening = new Promise((resolve) => server.listen(address, resolve));

parentPort.on('message', async ({ id, name }) => {
  if (name === 'begun') await listening;
  if (name === 'stop') {
    if (config === 'hangs') return;
    process.exit();
  }
  parentPort.postMessage({ id, result: name === 'waiting' ? 3 : undefined });
});
