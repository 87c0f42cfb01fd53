/** ClickHouse behind TLS, with a certificate that an authority of one's own has signed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createServer, type Server } from 'node:tls';
import { openClickhouse, reasonOf } from '#src/clickhouse/connection.ts';
import { migrateClickhouse } from '#src/clickhouse/target.ts';
import { sql } from '#src/store/sql.ts';
import { useClickhouse } from '#test/kit/clickhouse.ts';

const server = useClickhouse();
const home = mkdtempSync(join(tmpdir(), 'luneta-tls-'));
const path = (name: string) => join(home, name);

/** Writes `NAME.pem` and `NAME.key`. */
function certify(name: string, by: string | null, more: readonly string[]): void {
  const signed = by === null ? [] : ['-CA', path(`${by}.pem`), '-CAkey', path(`${by}.key`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const output = ['-subj', `/CN=${name}`, '-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)];
  execFileSync('openssl', ['req', '-x509', ...signed, ...curve, ...more, ...output], { stdio: 'ignore' });
}

const open: Server[] = [];

/** Takes TLS off in front of the server. @returns its address */
async function inFront(certificate: string): Promise<string> {
  const files = { cert: readFileSync(path(`${certificate}.pem`)), key: readFileSync(path(`${certificate}.key`)) };
  const front = createServer(files, (socket) => {
    const behind = connect(Number(new URL(server.url).port), '127.0.0.1');
    for (const each of [socket, behind]) each.on('error', () => [socket, behind].map((end) => end.destroy()));
    socket.pipe(behind).pipe(socket);
  });
  open.push(front);
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

beforeAll(() => {
  const leaf = (address: string) => [
    '-addext',
    `subjectAltName=IP:${address}`,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ];
  certify('authority', null, []);
  certify('stranger', null, []);
  certify('server', 'authority', leaf('127.0.0.1'));
  certify('elsewhere', 'authority', leaf('127.0.0.9'));
});
afterAll(() => {
  for (const each of open) each.close();
  rmSync(home, { recursive: true, force: true });
});

it('copies and asks over TLS with CLICKHOUSE_CA', async () => {
  const house = await openClickhouse({ CLICKHOUSE_URL: await inFront('server'), CLICKHOUSE_CA: path('authority.pem') });
  try {
    await migrateClickhouse(house);
    const rows = Readable.from(['1\t2\t3\t4\t0\n'], { objectMode: false });
    const columns = ['project_id', 'old_person', 'new_person', 'version', 'deleted'];
    await house.insert('person_overrides', columns, rows, 'one');
    const asked = sql`select old_person, new_person from luneta.person_overrides`;
    expect(await house.query(asked)).toEqual([{ old_person: 2, new_person: 3 }]);
  } finally {
    await house.close();
  }
});

it.each([
  ['of an authority that is not trusted', 'server', 'stranger', /certificate/i],
  ['without CLICKHOUSE_CA', 'server', null, /certificate/i],
  ['of another address', 'elsewhere', 'authority', /altnames/i],
])('refuses a certificate %s', async (_title, certificate, authority, reason) => {
  const house = await openClickhouse({
    CLICKHOUSE_URL: await inFront(certificate),
    ...(authority !== null && { CLICKHOUSE_CA: path(`${authority}.pem`) }),
  });
  try {
    const error = await house.query(sql`select 1 as one`).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(reasonOf(error)).toMatch(reason);
  } finally {
    await house.close();
  }
});
