/**
 * The examples of docs/deploy in nginx and Caddy themselves, each in front of a server that reads requests as Luneta does:
 * `npm run test:proxies`. Needs Debian's packages and openssl, changes nothing on the machine: packages are unpacked into a temporary folder.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bareExpress } from '#src/web/bare-express.ts';
import { freePort } from '../kit/free-port.ts';

const examples = fileURLToPath(new URL('../../docs/deploy/', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'luneta-proxies-'));
const host = 'analytics.example.com';
/** Differs from the proxies' addresses, to distinguish clients from them. */
const CLIENT = '127.0.0.2';
const CHUNK_MS = 1_000;
const MEGABYTES = 19;
const LONG_ADDRESS = 40_000;

interface Proxy {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

function unpack(): string {
  const packages = join(work, 'packages');
  mkdirSync(packages);
  execFileSync('apt-get', ['download', '-q', 'nginx', 'caddy'], { cwd: packages, stdio: 'ignore' });
  for (const file of readdirSync(packages)) execFileSync('dpkg', ['-x', file, work], { cwd: packages });
  return work;
}

function makeCertificate(): { certificate: string; key: string } {
  const [certificate, key] = [join(work, 'certificate.pem'), join(work, 'key.pem')];
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${host}`];
  execFileSync('openssl', [...words, '-out', certificate, '-keyout', key], { stdio: 'ignore' });
  return { certificate, key };
}

/** An example with the ports and files of this machine in place of its own. @throws Error when it does not hold what is replaced */
function adapt(file: string, replacements: [string, string][]): string {
  let text = readFileSync(join(examples, file), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} does not hold: ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function nginx(root: string, port: number, upstream: number): Proxy {
  const { certificate, key } = makeCertificate();
  const server = adapt('nginx.conf', [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/ssl/analytics.example.com.pem', certificate],
    ['/etc/ssl/analytics.example.com.key', key],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ]);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${work}/${name};`,
  );
  const file = join(work, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; user root; pid ${work}/nginx.pid; events {}
     http { access_log off; ${folders.join(' ')}\n${server}\n}`,
  );
  return { name: 'nginx', command: [join(root, 'usr/sbin/nginx'), '-e', 'stderr', '-c', file] };
}

function caddy(root: string, port: number, upstream: number): Proxy {
  const { certificate, key } = makeCertificate();
  const site = adapt('Caddyfile', [
    [`\n${host} {`, `\nhttps://${host}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ['127.0.0.1:3000', `127.0.0.1:${upstream}`],
  ]);
  const file = join(work, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  const command = [join(root, 'usr/bin/caddy'), 'run', '--config', file, '--adapter', 'caddyfile'];
  return { name: 'Caddy', command, env: { HOME: work, XDG_DATA_HOME: work, XDG_CONFIG_HOME: work } };
}

/** Says who asked, streams, and counts bodies. */
function createUpstream() {
  const app = bareExpress({ TRUST_PROXY: 1 });
  app.get('/stream', async (_req, res) => {
    res.write('one');
    await sleep(CHUNK_MS);
    res.end('two');
  });
  app.use((req, res) => {
    let bytes = 0;
    req.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    req.on('end', () => res.json({ ip: req.ip, protocol: req.protocol, host: req.get('host'), bytes }));
  });
  return createServer({ maxHeaderSize: 65_536 }, app);
}

interface Answer {
  status: number | undefined;
  text: string;
  /** Between its first and its last part. */
  spreadMs: number;
}

function ask(port: number, path: string, options: RequestOptions = {}, body?: Buffer): Promise<Answer> {
  const all: RequestOptions = {
    ...options,
    host: '127.0.0.1',
    port,
    path,
    localAddress: CLIENT,
    servername: host,
    rejectUnauthorized: false,
    headers: { Host: host, ...options.headers },
  };
  return new Promise((resolve, reject) => {
    const asked = request(all, (res: IncomingMessage) => {
      const parts: { text: string; at: number }[] = [];
      res.on('data', (part: Buffer) => parts.push({ text: part.toString(), at: performance.now() }));
      res.on('error', reject);
      res.on('end', () => {
        const text = parts.map((part) => part.text).join('');
        resolve({ status: res.statusCode, text, spreadMs: (parts.at(-1)?.at ?? 0) - (parts[0]?.at ?? 0) });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function untilItAnswers(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(port, '/').catch(() => null);
    if (answer?.status === 200) return;
    if (tries === 50) throw new Error('It does not answer.');
    await sleep(200);
  }
}

/** What docs/deploy.md says to get right. @returns what does not hold */
async function inspect(port: number): Promise<string[]> {
  const forged = await ask(port, '/', { headers: { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' } });
  const facts = JSON.parse(forged.text) as Record<string, unknown>;
  const long = await ask(port, `/?filters=${'x'.repeat(LONG_ADDRESS)}`);
  const large = await ask(port, '/ingest/batch', { method: 'POST' }, Buffer.alloc(MEGABYTES * 1_000_000));
  const { spreadMs } = await ask(port, '/stream');
  const holds: [string, boolean][] = [
    [`the client's address: ${facts['ip']}`, facts['ip'] === CLIENT],
    [`its protocol: ${facts['protocol']}`, facts['protocol'] === 'https'],
    [`the host: ${facts['host']}`, String(facts['host']).startsWith(host)],
    [`an address of ${LONG_ADDRESS} characters: ${long.status}`, long.status === 200],
    [`a body of ${MEGABYTES} MB: ${large.status} ${large.text}`, large.text.includes(`"bytes":${MEGABYTES}000000`)],
    [`a stream, spread over ${Math.round(spreadMs)} ms`, spreadMs > CHUNK_MS / 2],
  ];
  for (const [what, isSo] of holds) console.log(`  ${isSo ? 'ok  ' : 'FAIL'}  ${what}`);
  return holds.flatMap(([what, isSo]) => (isSo ? [] : what));
}

async function runBehind({ name, command: [file, ...words], env }: Proxy, port: number): Promise<string[]> {
  console.log(name);
  const child = spawn(file as string, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said = `${said}${part}`.slice(-4_000);
  });
  const end = new Promise((resolve) => child.once('exit', resolve));
  try {
    await untilItAnswers(port);
    return await inspect(port);
  } catch (error) {
    return [`${name}: ${error}\n${said}`];
  } finally {
    child.kill('SIGTERM');
    await end;
  }
}

const upstream = createUpstream();
try {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port: behind } = upstream.address() as AddressInfo;
  const root = unpack();
  const problems: string[] = [];
  for (const make of [nginx, caddy]) {
    const port = await freePort();
    problems.push(...(await runBehind(make(root, port, behind), port)));
  }
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? '2 passed, 0 failed' : `${problems.length} failed`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  upstream.closeAllConnections();
  upstream.close();
  rmSync(work, { recursive: true, force: true });
}
