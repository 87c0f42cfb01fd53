/** A small database in MaxMind's format (mmdb 2.0): IPv4, one record for each network that is a whole first octet. */

type Value = string | number | Value[] | { [name: string]: Value };

const MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');

/** @param entries by the first octet of the addresses */
export function mmdb(entries: Readonly<Record<number, Value>>): Buffer {
  const nodes: [number | null, number | null][] = [[null, null]];
  const ends: [node: number, bit: 0 | 1, octet: number][] = [];
  for (const octet of Object.keys(entries).map(Number)) {
    let node = 0;
    for (let at = 7; at >= 0; at--) {
      const bit = ((octet >> at) & 1) as 0 | 1;
      if (at === 0) {
        ends.push([node, bit, octet]);
        break;
      }
      const pair = nodes[node] as [number | null, number | null];
      const next = pair[bit] ?? nodes.push([null, null]) - 1;
      pair[bit] = next;
      node = next;
    }
  }
  const data: Buffer[] = [];
  let length = 0;
  for (const [node, bit, octet] of ends) {
    (nodes[node] as [number | null, number | null])[bit] = nodes.length + 16 + length;
    const encoded = encode(entries[octet] as Value);
    data.push(encoded);
    length += encoded.length;
  }
  const tree = Buffer.alloc(nodes.length * 6);
  nodes.forEach((pair, at) => {
    pair.forEach((record, bit) => {
      tree.writeUIntBE(record ?? nodes.length, at * 6 + bit * 3, 3);
    });
  });
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'Test-City',
    description: { en: 'test' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, MARK, metadata]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(2, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const pairs = Object.entries(value);
  return Buffer.concat([head(7, pairs.length), ...pairs.flatMap(([name, own]) => [encode(name), encode(own)])]);
}

/** Control byte of a type and a size; types over 7 have a byte more. */
function head(type: number, size: number): Buffer {
  const small = Math.min(size, 29);
  const first = type > 7 ? [small, type - 7] : [(type << 5) | small];
  return Buffer.from(size < 29 ? first : [...first, size - 29]);
}
