/**
 * Reading much at once: several statements that see the database at one moment, and results by COPY in PostgreSQL's binary form,
 * which the driver's own decoding (of texts) would spoil.
 */
import { once } from 'node:events';
import type { Knex } from 'knex';
import { type ClientBase, escapeLiteral } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { asAppError } from './db.ts';
import type { Sql } from './sql.ts';

/** A knex connection that is not to be used again is marked so. */
type PooledClient = ClientBase & { __knex__disposed?: unknown };

/**
 * Runs `work` on one connection of the screens' pool, in a transaction that reads one snapshot.
 * @throws AppError as `asAppError` makes it
 */
export async function readSnapshot<Result>(db: Knex, work: (client: ClientBase) => Promise<Result>): Promise<Result> {
  let client: PooledClient;
  try {
    client = (await db.client.acquireConnection()) as PooledClient;
  } catch (error) {
    throw asAppError(error);
  }
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((cause: unknown) => {
      client.__knex__disposed = cause;
    });
    throw asAppError(error);
  } finally {
    await db.client.releaseConnection(client);
  }
}

/** The whole result of a query in COPY's binary format. Values are written into the text, since COPY takes no parameters. */
export async function copyOut(client: ClientBase, fragment: Sql): Promise<Uint8Array<ArrayBuffer>> {
  const stream = client.query(copyTo(`copy (${inline(fragment)}) to stdout (format binary)`));
  const pieces: Buffer[] = [];
  let size = 0;
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
  });
  await once(stream, 'end');
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The text of a fragment with its values in it. */
function inline({ parts, values }: Sql): string {
  return parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return escapeLiteral(value);
  if (Array.isArray(value)) return escapeLiteral(`{${value.map(element).join(',')}}`);
  throw new TypeError('a value that cannot be written into a statement');
}

function element(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  throw new TypeError('a list that cannot be written into a statement');
}
