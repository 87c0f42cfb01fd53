/** Identifiers. UUIDv7 for what we make (sorts by time), UUIDv5 for what must be the same each time. Pure, server only. */
import { createHash, randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for any UUID in the usual text form, of whatever version. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

/** A random UUIDv7 whose time is `ms`. @see RFC 9562 section 5.7 */
export function uuidV7(ms: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** The UUIDv5 of `name` in our own namespace: equal input, equal UUID. @see RFC 9562 section 5.5 */
export function uuidV5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name, 'utf8').digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** The embedded time of a UUIDv7 in ms, or null when the text is not a UUIDv7. */
export function uuidV7Time(uuid: string): number | null {
  if (uuid.charCodeAt(14) !== 55 /* '7' */ || !isUuid(uuid)) return null;
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

const NAMESPACE = Buffer.from('5c1f0f6f9d5e4f0d8a552b3c7de1c0a7', 'hex');

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
