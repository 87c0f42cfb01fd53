/** Identifiers. UUIDv7 for what we make (sorts by time), UUIDv5 for what must be the same each time. Pure, server only. */
import { createHash, randomBytes } from 'node:crypto';

/** True for a UUID of any version in the usual text form. */
export function isUuid(text: string): boolean {
  return formOf(text) >= LOWER;
}

/** The UUID in lower case, as the very same string when it is so already; null when the text is none. */
export function lowerUuid(text: string): string | null {
  const form = formOf(text);
  if (form === LOWER) return text;
  return form === MIXED ? text.toLowerCase() : null;
}

/** The UUID, in its usual form, of a text that spells it without hyphens, in braces or as a URN; null when the text is none. */
export function respelledUuid(text: string): string | null {
  const parts = SPELLINGS.exec(text)?.slice(1, 6);
  return parts === undefined ? null : parts.join('-').toLowerCase();
}

const SPELLINGS = /^(?:urn:uuid:|\{)?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})\}?$/i;

const NO_UUID = 0;
const LOWER = 1;
const MIXED = 2;

/** A loop over code units: each event has several UUIDs, and a regular expression or a lower-case copy costs more. */
function formOf(text: string): typeof NO_UUID | typeof LOWER | typeof MIXED {
  if (text.length !== 36) return NO_UUID;
  let isMixed = false;
  for (let at = 0; at < 36; at++) {
    const unit = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (unit !== 0x2d) return NO_UUID;
    } else if (unit >= 0x41 && unit <= 0x46) {
      isMixed = true;
    } else if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66))) {
      return NO_UUID;
    }
  }
  return isMixed ? MIXED : LOWER;
}

/** A random UUIDv7 with the time `ms`. @see RFC 9562 section 5.7 */
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
  let ms = 0;
  for (let at = 0; at < 13; at++) {
    if (at === 8) continue;
    const unit = uuid.charCodeAt(at);
    ms = ms * 16 + (unit <= 0x39 ? unit - 0x30 : (unit | 0x20) - 0x57);
  }
  return ms;
}

const NAMESPACE = Buffer.from('5c1f0f6f9d5e4f0d8a552b3c7de1c0a7', 'hex');

function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
