/** A connection on which pages come in pieces, as on a bad phone line: the browser paints what it has between them. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const PIECE_BYTES = 1_500;
const PAUSE_MS = 12;

export interface SlowPages {
  url: string;
  close(): void;
}

/** In front of `target`; everything but pages passes as it is. */
export async function startSlowPages(target: string): Promise<SlowPages> {
  const server: Server = createServer((req, res) => {
    const headers = { ...req.headers, host: new URL(target).host };
    const isPage = req.headers['sec-fetch-dest'] === 'document';
    if (isPage) headers['accept-encoding'] = 'identity';
    const onward = request(target + (req.url ?? '/'), { method: req.method ?? 'GET', headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      // A browser that goes away in the middle is no failure of the test.
      const sent = isPage ? pipeline(answer, inPieces, res) : pipeline(answer, res);
      sent.catch(() => res.destroy());
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      await sleep(PAUSE_MS);
    }
  }
}
