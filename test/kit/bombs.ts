/** Bodies that cost much more to read than to send. Each kind repeats a piece until the inflated body has `size` bytes. */
import { gzipSync } from 'node:zlib';

export interface Bomb {
  kind: string;
  body: Buffer;
  contentType?: string;
  compression?: string;
}

const FORM = 'application/x-www-form-urlencoded';

export function makeBombs(size: number): Bomb[] {
  const fill = (piece: string) => Buffer.alloc(size, piece);
  const numbered = () => {
    const pieces: string[] = [];
    for (let index = 0, length = 0; length < size; index++) {
      const piece = `"k${index}":1`;
      pieces.push(piece);
      length += piece.length + 1;
    }
    return Buffer.from(`{${pieces.join(',')}}`);
  };
  const after = (head: string, piece: string) => Buffer.concat([Buffer.from(head), fill(piece)]);
  const bodies: Bomb[] = [
    { kind: 'blanks', body: fill(' ') },
    { kind: 'a letter and blanks', body: fill('a ') },
    { kind: 'plus signs in a form', body: after('data=', '+'), contentType: FORM },
    { kind: 'percent sequences', body: after('data=', '%20'), contentType: FORM },
    { kind: 'broken percent sequences', body: after('data=', '%zz'), contentType: FORM },
    { kind: 'form fields', body: fill('a=1&'), contentType: FORM },
    { kind: 'data fields', body: fill('data=&'), contentType: FORM },
    { kind: 'open brackets', body: fill('[') },
    { kind: 'open objects', body: fill('{"a":') },
    { kind: 'empty arrays', body: after('[', '[],') },
    { kind: 'names', body: numbered() },
    { kind: 'not a number', body: after('[', 'NaN,') },
    { kind: 'not a number, joined', body: after('[', 'NaN') },
    { kind: 'backslashes in a string', body: after('["', '\\') },
    { kind: 'quotes', body: after('[', '"') },
    { kind: 'escaped quotes', body: after('["', '\\"') },
    { kind: 'halves of surrogates', body: fill('\u00ed').fill(Buffer.from([0xed, 0xa0, 0x80])) },
    { kind: 'base64', body: fill('QUJD') },
    { kind: 'lz-string', body: fill('AwBg'), compression: 'lz64' },
    { kind: 'long ids', body: after('[{"distinct_id":', '9') },
  ];
  // The quickest level: small enough.
  return bodies.map((bomb) => ({ ...bomb, body: gzipSync(bomb.body, { level: 1 }) }));
}
