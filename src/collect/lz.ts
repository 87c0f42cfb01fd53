/**
 * Reads what the lz-string library's `compressToBase64` writes (old browser clients: `compression=lz64`), with a cap on the
 * output. The library itself has none: its format grows quadratically, so a body of one megabyte could ask for a terabyte.
 * Pure. @see https://pieroxy.net/blog/pages/lz-string/index.html
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIX_BITS = new Int8Array(128).fill(-1);
for (let index = 0; index < ALPHABET.length; index++) SIX_BITS[ALPHABET.charCodeAt(index)] = index;

/** Control codes; dictionary entries start after them. */
const NEW_CHAR_8 = 0;
const NEW_CHAR_16 = 1;
const END = 2;

/** Thrown when the text would become longer than the caller allows. */
export class TooLong extends Error {}

/**
 * The text inside, or null when these are not the bytes of an lz-string.
 *
 * @param maxLength in UTF-16 units
 * @throws TooLong
 */
export function decompressLz64(base64: string, maxLength: number): string | null {
  const bits = bitReader(base64);
  const dictionary: string[] = ['', '', ''];
  const pieces: string[] = [];
  let length = 0;
  let width = 2; // of a code, in bits
  let room = 4; // codes left before they need one bit more (the first symbol below uses one)
  let previous: string | null = null;

  for (;;) {
    let code = bits.read(width);
    if (code === null) return null;
    if (code === END) return pieces.join('');
    if (code === NEW_CHAR_8 || code === NEW_CHAR_16) {
      const unit = bits.read(code === NEW_CHAR_8 ? 8 : 16);
      if (unit === null) return null;
      dictionary.push(String.fromCharCode(unit));
      code = dictionary.length - 1;
      if (previous === null) {
        width = 3;
      } else if (--room === 0) {
        room = 2 ** width++;
      }
    }
    let entry: string;
    if (code < dictionary.length) {
      entry = dictionary[code] as string;
    } else if (code === dictionary.length && previous !== null) {
      entry = previous + previous.charAt(0);
    } else {
      return null;
    }
    length += entry.length;
    if (length > maxLength) throw new TooLong();
    pieces.push(entry);
    if (previous !== null) {
      dictionary.push(previous + entry.charAt(0));
      if (--room === 0) room = 2 ** width++;
    }
    previous = entry;
  }
}

/** Bits of the base64 text in the order lz-string writes them: a number's lowest bit first. */
function bitReader(base64: string): { read(count: number): number | null } {
  let position = 0;
  let buffer = 0;
  let left = 0;
  return {
    read(count) {
      let value = 0;
      for (let bit = 0; bit < count; bit++) {
        if (left === 0) {
          if (position >= base64.length) return null;
          buffer = SIX_BITS[base64.charCodeAt(position++)] ?? -1;
          if (buffer < 0) return null; // '=' padding or a foreign character: the end was missed
          left = 6;
        }
        left--;
        if (buffer & (1 << left)) value += 2 ** bit;
      }
      return value;
    },
  };
}
