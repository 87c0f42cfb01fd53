/**
 * supertest over connections that stay open, with one server for each app of a test file: otherwise half of what a request costs is a new server
 * and a new connection.
 */
import { Agent, createServer, type Server } from 'node:http';
import supertest from 'supertest';

type Target = Parameters<typeof supertest>[0];

const agent = new Agent({ keepAlive: true });
/** By app: its server, and how to close it. */
const servers = new Map<unknown, { server: Server; close(): void }>();

// Outside of Jest only addresses are asked, which open nothing here.
if (typeof afterAll === 'function') {
  afterAll(() => {
    agent.destroy();
    for (const { close } of servers.values()) close();
    servers.clear();
  });
}

/** @param target an app; servers and addresses are asked as they are */
export default function request(target: Target): ReturnType<typeof supertest> {
  if (typeof target !== 'function') return supertest(target);
  const methods = supertest(serverOf(target as Parameters<typeof createServer>[1])) as unknown as Methods;
  return Object.fromEntries(
    Object.entries(methods).map(([name, ask]) => [name, (path: string) => ask(path).agent(agent)]),
  ) as unknown as ReturnType<typeof supertest>;
}

type Methods = Record<string, (path: string) => { agent(agent: Agent): unknown }>;

function serverOf(app: Parameters<typeof createServer>[1]): Server {
  const known = servers.get(app);
  if (known !== undefined) return known.server;
  const server = createServer(app);
  // A connection that is closed because it was idle would be just the one that is used next.
  server.keepAliveTimeout = 0;
  // supertest starts it, and would close it after each request.
  const close = server.close.bind(server);
  server.close = (done) => {
    done?.();
    return server;
  };
  servers.set(app, {
    server,
    close() {
      close();
      server.closeAllConnections();
    },
  });
  return server;
}
