/** The container of PostHog's command line: a script with its source map, or symbols of other platforms. Pure but for decompression. */
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { invalid } from '#src/kit/errors.ts';
import { MAX_MAP_BYTES } from '../values.ts';

const MAGIC = Buffer.from('posthog_error_tracking');
const SOURCE_AND_MAP = 2;
const ZSTD = 1;
/** Script and map. */
const MAX_PAYLOAD = 3 * MAX_MAP_BYTES;

const decompress = promisify(zstdDecompress);

/** The map in a container; null: symbols of another platform, which are not read. @throws AppError `invalid` */
export async function mapIn(container: Buffer): Promise<Buffer | null> {
  if (!container.subarray(0, MAGIC.length).equals(MAGIC)) throw broken();
  const head = container.subarray(MAGIC.length);
  if (head.length < 9) throw broken();
  const version = head.readUInt32LE(0);
  const type = head.readUInt32LE(4);
  if (version !== 1 && version !== 2) throw invalid('file', 'This version of the upload format is unknown.');
  if (type !== SOURCE_AND_MAP) return null;
  const payload = version === 1 ? head.subarray(8) : await inflate(head.readUInt8(8), head.subarray(9));
  const [, rest] = readPart(payload);
  const [map] = readPart(rest);
  return map;
}

async function inflate(compression: number, body: Buffer): Promise<Buffer> {
  if (compression === 0) return body;
  if (compression !== ZSTD) throw broken();
  try {
    return await decompress(body, { maxOutputLength: MAX_PAYLOAD });
  } catch {
    throw broken();
  }
}

/** A text after its length. */
function readPart(bytes: Buffer): [part: Buffer, rest: Buffer] {
  if (bytes.length < 8) throw broken();
  const length = bytes.readBigUInt64LE(0);
  if (length > BigInt(bytes.length - 8)) throw broken();
  const end = 8 + Number(length);
  return [bytes.subarray(8, end), bytes.subarray(end)];
}

/** For downloads: the map in a container, without the script, which is not kept. */
export function containerOf(map: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(1, 0);
  head.writeUInt32LE(SOURCE_AND_MAP, 4);
  return Buffer.concat([MAGIC, head, lengthOf(0), lengthOf(map.length), map]);
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(length));
  return bytes;
}

function broken() {
  return invalid('file', 'This is no upload of PostHog’s command line.');
}
