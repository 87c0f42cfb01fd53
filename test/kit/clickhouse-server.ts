/**
 * ClickHouse as a library behind a small HTTP server that speaks its interface, as far as the official client and this program need it: for tests on a
 * machine without a server. `node test/kit/clickhouse-server.ts FOLDER` says its port on standard output. `POST /fault` sets what goes wrong next, `GET /fault` says how often it still will.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** What happens to the next statements that contain a text. */
export interface ClickhouseFault {
  /** The answer is lost after it was done, or before; the disk is full; no answer ever comes, and nothing is done, or it is. */
  what: 'loseAnswer' | 'refuse' | 'full' | 'hang' | 'hangDone';
  /** In lower case; '': any statement. */
  at: string;
  /** So many of them pass before; absent: none. */
  after?: number;
  times: number;
}

interface Session {
  queryAsync(query: string, options: { format: string }): Promise<{ text(): string }>;
  query(query: string): string;
}

/** Parameters of an address that are no settings. */
const OWN = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'role',
  'enable_http_compression',
]);

const { Session } = (await import(
  new URL('../../bench/clickhouse/node_modules/chdb/index.mjs', import.meta.url).href
)) as unknown as { Session: new (folder: string) => Session };
const session = new Session(process.argv[2] ?? '');
session.query('set max_query_size = 104857600, max_ast_elements = 10000000');
let fault: ClickhouseFault | null = null;
/** One at a time: the library has one connection. */
let turn: Promise<unknown> = Promise.resolve();

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
  const encoding = req.headers['content-encoding'];
  const unpack = encoding === 'gzip' ? createGunzip() : encoding === 'zstd' ? createZstdDecompress() : null;
  const body = await buffer(unpack === null ? req : req.pipe(unpack));
  if (pathname === '/ping') return void res.end('Ok.\n');
  if (pathname === '/fault') {
    if (req.method === 'POST') fault = JSON.parse(body.toString()) as ClickhouseFault | null;
    return void res.end(String(fault?.times ?? 0));
  }
  const given = searchParams.get('query');
  const statement = given ?? body.toString();
  const happens = faultAt(statement);
  if (happens === 'hang') return;
  if (happens === 'refuse') return void req.socket.destroy();
  if (happens === 'full') return refuse(res, 'Code: 243. DB::Exception: Cannot reserve 1.00 MiB. (NOT_ENOUGH_SPACE)');
  const settings = [...searchParams].filter(([name]) => !OWN.has(name)).map(([name, value]) => `${name} = '${value}'`);
  try {
    const result = await run(statement, settings, given === null ? '' : body.toString());
    if (happens === 'hangDone') return;
    if (happens === 'loseAnswer') return void req.socket.destroy();
    res.setHeader('x-clickhouse-query-id', searchParams.get('query_id') ?? '');
    res.end(result);
  } catch (error) {
    refuse(res, (error as Error).message);
  }
}

function faultAt(statement: string): ClickhouseFault['what'] | null {
  if (fault === null || fault.times <= 0 || !statement.toLowerCase().includes(fault.at)) return null;
  if ((fault.after ?? 0) > 0) {
    fault.after = (fault.after ?? 0) - 1;
    return null;
  }
  fault.times--;
  return fault.what;
}

function refuse(res: ServerResponse, message: string): void {
  res.statusCode = 500;
  res.end(/\([A-Z_]+\)\s*$/.test(message) ? message : `${message} (EXCEPTION)`);
}

function run(statement: string, settings: readonly string[], data: string): Promise<string> {
  const [, before = statement, format = 'TabSeparated'] = /^(.*?)\s+format\s+(\w+)\s*;?\s*$/is.exec(statement) ?? [];
  const isInsert = /^\s*insert/i.test(statement) && data !== '';
  // Settings of statements that make something are the table's own.
  const takes = (isInsert || /^\s*(select|with)/i.test(statement)) && settings.length > 0;
  const full = `${before}${takes ? ` settings ${settings.join(', ')}` : ''}`;
  const work = () => session.queryAsync(isInsert ? `${full} format ${format}\n${data}` : full, { format });
  const result = turn.then(work, work);
  turn = result.catch(() => undefined);
  return result.then((found) => found.text());
}

const server = createServer((req, res) => {
  answer(req, res).catch((error: unknown) => refuse(res, String(error)));
});
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
// It goes with whoever started it.
process.stdin.on('end', () => process.exit(0)).resume();
