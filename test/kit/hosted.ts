/** A stand-in for the hosted backend on this machine: it knows one password, and tells whom its token is for. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface TestBackend {
  url: string;
  /** What it says of whoever the token is for. */
  user: Record<string, unknown>;
  /** Of what is asked for with this in its path, it answers 500. */
  broken: string | null;
  /** What it was asked, in order. */
  asked: { path: string; key: unknown; authorization: unknown }[];
  close(): Promise<void>;
}

export async function startBackend(password: string): Promise<TestBackend> {
  const server = createServer(async (req, res) => {
    const { url: path = '', headers } = req;
    backend.asked.push({ path, key: headers['apikey'], authorization: headers.authorization });
    const answer = (status: number, body: object) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (backend.broken !== null && path.includes(backend.broken)) return answer(500, {});
    if (path === '/auth/v1/user') {
      return headers.authorization === 'Bearer of-marina' ? answer(200, backend.user) : answer(403, {});
    }
    const body = (await json(req)) as { password?: unknown };
    if (body.password !== password) return answer(400, { error_code: 'invalid_credentials' });
    // What stands in the token is not believed: it says somebody else.
    answer(200, { access_token: 'of-marina', user: { id: 'somebody else' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const backend: TestBackend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ user: {}, broken: null, asked: [] },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return backend;
}
