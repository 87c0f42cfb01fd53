/** The HTTP server itself: limits against slow and greedy clients, and an end that cuts no answer short. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bodies of calls; questions are small, and what is large is stored first. The largest are lists of people: 2,000,000 characters. */
export const callBodyBytes = 2_500_000;

/** After this many checks without a request, balancers have stopped sending. Checks instead of time: a blocked event loop reads nothing meanwhile. */
const QUIET_LOOKS = 6;
const LOOK_MS = 25;
/** With clients that never stop sending: 1.5 s, and longer while the loop is late, ... */
const MAX_LOOKS = 60;
/** ... up to this. */
const MAX_FAREWELL_MS = 5_000;
/**
 * Connections that wait to be accepted. With Node's default of 511 the system drops what a burst opens beyond it, after clients have
 * written their requests already.
 */
export const BACKLOG = 4_096;

export interface WebServer {
  /** With the port that was taken, which is another than asked for when that was 0. */
  url: string;
  /**
   * Graceful shutdown. Serves a moment longer, while readiness fails and responses close their connections; then accepts no
   * new connections, closes idle ones, and resolves when every request is answered. Connections that are still open after
   * `limitMs` are destroyed.
   */
  stop(limitMs: number): Promise<void>;
}

/**
 * Listens. Who sends headers or bodies too slowly is cut off with 408; answers may take as long as they need.
 *
 * @throws the system's error when the address cannot be taken
 */
export async function startServer(
  listener: RequestListener,
  { port, host }: { port: number; host: string },
): Promise<WebServer> {
  let stopping = false;
  let requests = 0;
  const server = createServer(
    {
      // Queries are in the URL, up to 64 kB.
      maxHeaderSize: 65_536,
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // Longer than a balancer keeps idle connections (60 s is usual), or it reuses one that we are closing.
      keepAliveTimeout: 75_000,
    },
    (req, res) => {
      requests += 1;
      if (stopping) res.setHeader('Connection', 'close');
      if (isClear(req)) return listener(req, res);
      // Another server on the way may have read it otherwise: nothing that follows on this connection is trusted.
      res.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end('Bad request.\n');
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async stop(limitMs) {
      stopping = true;
      const since = performance.now();
      // Closing immediately would reset connections in the accept queue, with their requests.
      let isQueueAccepted = false;
      const probe = probeQueue(server, address, () => {
        isQueueAccepted = true;
      });
      let quiet = 0;
      for (let looks = 0; performance.now() - since < MAX_FAREWELL_MS; looks++) {
        if (isQueueAccepted && (quiet >= QUIET_LOOKS || looks >= MAX_LOOKS)) break;
        const before = requests;
        await sleep(LOOK_MS);
        quiet = requests === before ? quiet + 1 : 0;
      }
      probe.destroy();
      await closeServer(server, limitMs);
    },
  };
}

/**
 * Connects as the last one of the queue, which is first in, first out: once our connection is accepted, so are all that were there
 * before. Node accepts one connection a turn of the loop, so that a long queue outlasts any fixed time on a busy machine.
 */
function probeQueue(server: Server, { address, port }: AddressInfo, onAccepted: () => void): Socket {
  const host = address === '::' ? '::1' : address === '0.0.0.0' ? '127.0.0.1' : address;
  const probe = connect({ host, port });
  // Without a listening socket there is no accept queue.
  probe.on('error', onAccepted);
  server.on('connection', (socket) => {
    if (socket.remotePort === probe.localPort) onAccepted();
  });
  return probe;
}

/** True for an unambiguous request: exactly one host (Node takes the first of several), and a path. */
function isClear({ url = '', headers, rawHeaders }: IncomingMessage): boolean {
  if (!url.startsWith('/') && !/^https?:\/\//i.test(url)) return false;
  if (headers.host === undefined) return true;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

function closeServer(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => server.closeAllConnections(), limitMs);
    // A connection that was busy at the start becomes idle later, and would stay open until its timeout.
    const sweep = setInterval(() => afterReading(() => server.closeIdleConnections()), 50);
    const end = () => {
      clearTimeout(limit);
      clearInterval(sweep);
      resolve();
    };
    afterReading(() => server.close(end)); // closes idle connections, too
  });
}

/** A seemingly idle connection may have an unread request: under load the event loop is slow between two reads. */
function afterReading(run: () => void): void {
  setImmediate(run);
}
