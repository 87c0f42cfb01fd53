/** Rows of a COPY out of pieces of any size, and everything else to the driver as it came. */
import { EventEmitter } from 'node:events';
import { CopiedStream } from '#src/store/copied-stream.ts';

const message = (kind: string, body: Uint8Array | string = '') => {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
};
const field = (bytes: Uint8Array | string) => {
  const own = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeInt32BE(own.length);
  return Buffer.concat([length, own]);
};
const fields = (count: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(count);
  return bytes;
};
const signature = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const rows = [
  ['7', 'a', 'x'.repeat(9000)],
  ['', 'longer than the others', ''],
  ['9', 'c', 'yz'],
] as const;
const rowOf = (row: readonly string[]) => Buffer.concat([fields(3), ...row.map(field)]);
const copied = rows.map((row, at) => message('d', at === 0 ? Buffer.concat([signature, rowOf(row)]) : rowOf(row)));
const before = message('H', 'ready to send');
const after = [message('d', fields(-1)), message('c'), message('C', 'COPY 3\0')];
const ready = message('Z', 'T');
const next = message('N', 'what comes next');

/** Sends the bytes in pieces; released when the driver has received ReadyForQuery. */
function sent(size: number, take?: () => Uint8Array) {
  const stream = new EventEmitter();
  const driver: Buffer[] = [];
  let copying: CopiedStream | null = null;
  const listen = (piece: Buffer) => {
    driver.push(Buffer.from(piece));
    if (Buffer.concat(driver).includes(ready)) copying?.release();
  };
  stream.on('data', listen);
  const found: { fields: string; bytes: Uint8Array }[] = [];
  copying = new CopiedStream(stream, 2, (short, length) => {
    if (take) return take();
    const bytes = new Uint8Array(length);
    found.push({ fields: short.toString(), bytes });
    return bytes;
  });
  const all = Buffer.concat([before, ...copied, ...after, ready, next]);
  for (let at = 0; at < all.length; at += size) stream.emit('data', all.subarray(at, at + size));
  return { found, driver: Buffer.concat(driver), copying, listeners: stream.listeners('data'), listen };
}

const others = Buffer.concat([before, ...after.slice(1), ready, next]);

test.each([1, 2, 3, 5, 7, 64, 1000, 4096, 9001, 1_000_000])('pieces of %i bytes', (size) => {
  const { found, driver, listeners, listen, copying } = sent(size);
  expect(found.map(({ fields: short, bytes }) => [short, Buffer.from(bytes).toString()])).toEqual(
    rows.map(([one, two, last]) => [Buffer.concat([field(one), field(two)]).toString(), last]),
  );
  expect(driver.equals(others)).toBe(true);
  expect(listeners).toEqual([listen]);
  copying.release(); // once more changes nothing
  expect(copying.failure).toBeNull();
});

test('what is thrown over a row is kept for the end, and the driver gets everything all the same', () => {
  const { driver, listeners, listen, copying } = sent(100, () => {
    throw new Error('no room');
  });
  expect(copying.failure?.message).toBe('no room');
  expect(driver.equals(others)).toBe(true);
  expect(listeners).toEqual([listen]);
});

test('given up in the middle of a row, the driver is given the stream at the end of it', () => {
  const stream = new EventEmitter();
  const driver: Buffer[] = [];
  const listen = (piece: Buffer) => driver.push(piece);
  stream.on('data', listen);
  const copying = new CopiedStream(stream, 2, (_, length) => new Uint8Array(length));
  const [first] = copied as [Buffer];
  stream.emit('data', first.subarray(0, 5000));
  copying.release();
  expect(stream.listeners('data')).not.toContain(listen);
  stream.emit('data', Buffer.concat([first.subarray(5000), ready]));
  expect(stream.listeners('data')).toEqual([listen]);
  expect(Buffer.concat(driver).equals(ready)).toBe(true);
});
