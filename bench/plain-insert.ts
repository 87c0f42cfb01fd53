/**
 * The baseline that everyone writes first: each request is one insert of its JSON. `DATABASE_URL=… PORT=… node bench/plain-insert.ts`.
 * Same pool size, same durability, same bodies as the collector gets.
 */
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query('create table if not exists plain_events (id bigserial primary key, body jsonb not null)');

createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', async () => {
    const json = await promisify(gunzip)(Buffer.concat(chunks));
    await pool.query({
      name: 'insert',
      text: 'insert into plain_events (body) values ($1)',
      values: [json.toString()],
    });
    res.end('{"status":1}');
  });
}).listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('listening\n'));
