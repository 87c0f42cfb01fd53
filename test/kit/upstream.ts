/** A local stand-in for an analytics host, for tests of the relay and the mirror. It can be slow, hang, break off or refuse. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface TestUpstream {
  url: string;
  seen: SeenRequest[];
  /** What happens with the next requests; by default 200 `{"status":1}` after the body was read. */
  respond: (req: IncomingMessage, res: ServerResponse) => void;
  /** Open connections. */
  readonly connections: number;
  /** Connections since the start. */
  readonly accepted: number;
  /** Ends all idle and busy connections, as a restart would. */
  dropConnections(): void;
  stop(): Promise<void>;
}

export async function startUpstream(port = 0): Promise<TestUpstream> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const upstream: TestUpstream = {
    url: '',
    seen: [],
    respond: acceptRequest,
    get connections() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
    dropConnections() {
      // A reset of a connection that is half closed already leaves its handle open and spinning.
      for (const socket of sockets) socket.readableEnded ? socket.destroy() : socket.resetAndDestroy();
    },
    async stop() {
      upstream.dropConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  function acceptRequest(req: IncomingMessage, res: ServerResponse): void {
    const chunks: Buffer[] = [];
    req.on('error', () => res.destroy());
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      upstream.seen.push({ method, path: url, headers, body: Buffer.concat(chunks) });
      res.setHeader('content-type', 'application/json').end('{"status":1}');
    });
  }
  const server = createServer((req, res) => upstream.respond(req, res));
  server.on('connection', (socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return upstream;
}
