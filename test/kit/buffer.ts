/** For `.buffer().parse(asBuffer)` of supertest: the body as it came, which is no text. */
import type { IncomingMessage } from 'node:http';

export function asBuffer(res: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  const stream = res as IncomingMessage;
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  stream.on('end', () => done(null, Buffer.concat(pieces)));
}
