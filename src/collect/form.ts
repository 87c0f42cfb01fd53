/**
 * Fields of a form body in one pass over its bytes. `URLSearchParams` makes a piece of text for every `+` and an entry for every `&`,
 * which takes seconds for bodies made of them. Pure.
 */

/** Fields looked at: clients send `data` among the first six. */
const MAX_FIELDS = 32;

/** The first value of each wanted field, decoded; null where the form has none. */
export function readFormFields<Name extends string>(
  text: string,
  wanted: readonly Name[],
): Record<Name, string | null> {
  const found = Object.fromEntries(wanted.map((name) => [name, null])) as Record<Name, string | null>;
  let start = text.startsWith('?') ? 1 : 0;
  for (let count = 0; count < MAX_FIELDS && start < text.length; count++) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    const name = wanted.find((candidate) => text.startsWith(`${candidate}=`, start));
    if (name !== undefined) found[name] ??= decodeFormValue(text.slice(start + name.length + 1, end));
    start = end + 1;
  }
  return found;
}

/** `+` becomes a space and `%xx` a byte; sequences that are not valid stay as they are. */
export function decodeFormValue(value: string): string {
  if (!value.includes('%') && !value.includes('+')) return value;
  const bytes = Buffer.from(value, 'utf8');
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    if (low !== -1) {
      bytes[length++] = high * 16 + low;
      at += 2;
    } else {
      bytes[length++] = byte === PLUS ? SPACE : byte;
    }
  }
  return bytes.toString('utf8', 0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const SPACE = 0x20;
const PERCENT = 0x25;
const PLUS = 0x2b;
