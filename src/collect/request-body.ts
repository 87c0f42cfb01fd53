/** The body of a request to `/ingest`: read and decoded in its turn, or read and forgotten. Its share of the memory is given back in any case. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReader } from './body.ts';
import type { CheckToken } from './body-beginning.ts';
import { type Decoded, decode } from './decode.ts';
import { type EventsRequest, first } from './http.ts';
import type { Ticket } from './in-flight.ts';

export interface DecodeOptions {
  /** Maximum size of the decoded JSON. */
  maxBytes?: number;
  /** Refuses a body early, by the token at its beginning. */
  checkToken?: CheckToken;
}

export interface RequestBodies {
  /**
   * Reads and decodes a request, and holds its share of the memory while `use` works. A client that went away is not answered.
   *
   * @throws what reading, decoding and `use` do
   */
  withDecoded(
    req: EventsRequest,
    res: ServerResponse,
    options: DecodeOptions,
    use: (decoded: Decoded, body: Buffer) => Promise<void>,
  ): Promise<void>;
  /** Reads a request that is decoded elsewhere, and holds its share of the memory while `use` works. A client that went away is not answered. */
  withBody(
    req: EventsRequest,
    res: ServerResponse,
    use: (body: Buffer, ticket: Pick<Ticket, 'hold'>) => Promise<void>,
  ): Promise<void>;
  /** Reads a body of which nothing is kept, then answers. */
  drained(req: IncomingMessage, res: ServerResponse, answer: () => void): Promise<void>;
}

const EMPTY = Buffer.alloc(0);

export function createRequestBodies(bodies: Pick<BodyReader, 'admit' | 'read' | 'drain'>): RequestBodies {
  async function withDecoded(
    req: EventsRequest,
    res: ServerResponse,
    { maxBytes, checkToken }: DecodeOptions,
    use: (decoded: Decoded, body: Buffer) => Promise<void>,
  ): Promise<void> {
    const ticket = bodies.admit(req);
    try {
      const body = await readBody(req, ticket);
      if (body === null) return void res.destroy();
      const turn = ticket.turn();
      if (turn !== undefined) await turn;
      const incoming = {
        body,
        data: first(req, 'data'),
        compression: first(req, 'compression'),
        contentType: req.headers['content-type'],
        contentEncoding: req.headers['content-encoding'],
        largeTurn: ticket.largeTurn,
        checkToken,
      };
      const decoded = await decode(incoming, maxBytes);
      ticket.hold(decoded.length);
      await use(decoded, body);
    } finally {
      ticket.release();
    }
  }

  function readBody(req: IncomingMessage, ticket: Ticket): Promise<Buffer | null> {
    return req.method === 'POST' ? bodies.read(req, ticket) : Promise.resolve(EMPTY);
  }

  async function withBody(
    req: EventsRequest,
    res: ServerResponse,
    use: (body: Buffer, ticket: Pick<Ticket, 'hold'>) => Promise<void>,
  ): Promise<void> {
    const ticket = bodies.admit(req);
    try {
      const body = await readBody(req, ticket);
      if (body === null) return void res.destroy();
      await use(body, ticket);
    } finally {
      ticket.release();
    }
  }

  async function drained(req: IncomingMessage, res: ServerResponse, answer: () => void): Promise<void> {
    const ticket = bodies.admit(req);
    try {
      if (await bodies.drain(req, ticket)) answer();
      else res.destroy();
    } finally {
      ticket.release();
    }
  }

  return { withDecoded, withBody, drained };
}
