/** Hashes of passwords: argon2id as a PHC string, which keeps its parameters so that they can be raised. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const hashWith = promisify(argon2);

/** OWASP's second recommendation: 19 MiB, 2 passes, 1 lane. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** A new hash of a password, to be stored. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, nonce, current);
  const { memory, passes, parallelism } = current;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/**
 * True when the password matches the hash. With null (no account, or no password) a hash is computed as well, so that the response time
 * discloses nothing.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = parse(stored ?? DUMMY);
  if (parsed === null) throw new Error('failed to parse a stored password hash');
  const tag = await tagOf(password, parsed.nonce, parsed);
  return timingSafeEqual(tag, parsed.tag) && stored !== null;
}

/** True when the stored hash was made with weaker parameters than today's. */
export function isOutdated(stored: string): boolean {
  const parsed = parse(stored);
  return parsed !== null && (parsed.memory < current.memory || parsed.passes < current.passes);
}

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

async function tagOf(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  // One password typed on different keyboards is one password.
  const message = Buffer.from(password.normalize('NFC'), 'utf8');
  const { memory, passes, parallelism } = cost;
  return await hashWith('argon2id', { message, nonce, memory, passes, parallelism, tagLength: TAG_BYTES });
}

function parse(stored: string): (Cost & { nonce: Buffer; tag: Buffer }) | null {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (found === null) return null;
  const [, memory, passes, parallelism, nonce = '', tag = ''] = found;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** Hash of no password, compared when there is no account. */
const DUMMY = `$argon2id$v=19$m=19456,t=2,p=1$${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(TAG_BYTES))}`;
