/**
 * Rows of COPY whose last column is a JSON object, as rows whose last column is a map of its members' JSON texts in ClickHouse's notation. PostgreSQL takes ten times as long for it
 * (docs/performance.md, *Copying to ClickHouse*). Pure.
 */

const [TAB, NEWLINE, QUOTE, APOSTROPHE, BACKSLASH] = [0x09, 0x0a, 0x22, 0x27, 0x5c];
const [COMMA, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d];
/** COPY writes a backslash as two. So does ClickHouse within quotes. */
const BACKSLASH_BYTES = 2;
/** A comma or colon of PostgreSQL's JSON, with its space. */
const MARK_BYTES = 2;

/**
 * Takes chunks of rows one after another, which may be cut anywhere.
 * @returns of each chunk, the rows that ended in it
 */
export function mapsFromJson(): (chunk: Buffer) => Buffer {
  let rest: Buffer | null = null;
  return (chunk) => {
    const rows = rest === null ? chunk : Buffer.concat([rest, chunk]);
    const end = rows.lastIndexOf(NEWLINE) + 1;
    rest = end === rows.length ? null : rows.subarray(end);
    return writeRows(rows, end);
  };
}

/** Members of an object as PostgreSQL writes it (`{"key": 1, "other": [2]}`) take no more bytes in a map, but for apostrophes and one byte a row. */
function writeRows(rows: Buffer, end: number): Buffer {
  const out = Buffer.allocUnsafe(end * 2);
  let to = 0;
  for (let begin = 0; begin < end; ) {
    const next = rows.indexOf(NEWLINE, begin) + 1;
    const object = rows.lastIndexOf(TAB, next - 1) + 1;
    to += rows.copy(out, to, begin, object);
    to = writeMap(rows, object, out, to);
    out[to++] = NEWLINE;
    begin = next;
  }
  // Of what waits to be sent, no more is kept than is used.
  return Buffer.from(out.subarray(0, to));
}

/** @returns where the map ends in `out` */
function writeMap(rows: Buffer, object: number, out: Buffer, begin: number): number {
  let [from, to] = [object + 1, begin];
  out[to++] = OPEN;
  while (rows[from] !== CLOSE) {
    if (rows[from] === COMMA) {
      out[to++] = COMMA;
      from += MARK_BYTES;
    }
    const key = endOfText(rows, from);
    to = writeKey(rows, from, key, out, to);
    out[to++] = COLON;
    const value = key + MARK_BYTES;
    from = endOfValue(rows, value);
    to = writeQuoted(rows, value, from, out, to);
  }
  out[to++] = CLOSE;
  return to;
}

function writeQuoted(text: Buffer, begin: number, end: number, out: Buffer, at: number): number {
  let to = at;
  out[to++] = APOSTROPHE;
  for (let from = begin; from < end; from++) {
    const byte = text[from] as number;
    if (byte === APOSTROPHE) out[to++] = APOSTROPHE;
    out[to++] = byte;
  }
  out[to++] = APOSTROPHE;
  return to;
}

/** A key is the text itself, without JSON's quotes and escapes. */
function writeKey(rows: Buffer, begin: number, end: number, out: Buffer, to: number): number {
  for (let at = begin; at < end; at++) if (rows[at] === BACKSLASH) return writeEscapedKey(rows, begin, end, out, to);
  return writeQuoted(rows, begin + 1, end - 1, out, to);
}

function writeEscapedKey(rows: Buffer, begin: number, end: number, out: Buffer, to: number): number {
  const json = rows.toString('utf8', begin, end).replaceAll('\\\\', '\\');
  const key = Buffer.from(escaped(JSON.parse(json)));
  return writeQuoted(key, 0, key.length, out, to);
}

const LETTERS: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
  '\\': '\\',
};

/** As COPY writes a text. */
function escaped(text: string): string {
  return text.replace(/[\b\f\n\r\t\v\\]/g, (character) => `\\${LETTERS[character]}`);
}

/** @returns after the closing quote of the JSON text that begins here */
function endOfText(rows: Buffer, begin: number): number {
  for (let at = begin + 1; at < rows.length; at++) {
    if (rows[at] === QUOTE) return at + 1;
    if (rows[at] !== BACKSLASH) continue;
    at += BACKSLASH_BYTES;
    if (rows[at] === BACKSLASH) at += BACKSLASH_BYTES - 1;
  }
  throw new SyntaxError('a JSON text has no end');
}

function endOfValue(rows: Buffer, begin: number): number {
  const first = rows[begin];
  if (first === QUOTE) return endOfText(rows, begin);
  const isNested = first === OPEN || first === OPEN_LIST;
  let depth = 0;
  for (let at = begin; at < rows.length; at++) {
    const byte = rows[at];
    if (byte === QUOTE) at = endOfText(rows, at) - 1;
    else if (byte === OPEN || byte === OPEN_LIST) depth++;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE)) return at;
    else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
    if (isNested && depth === 0) return at + 1;
  }
  throw new SyntaxError('a JSON value has no end');
}
