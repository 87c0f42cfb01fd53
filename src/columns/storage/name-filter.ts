/** Remembers any number of names in fixed memory (a Bloom filter): it may know a name that was not added, but forgets none. Pure. */

/** 1 MB: of a million names that were added, one in twenty others is taken for one of them. */
const BITS = 2 ** 23;

export class NameFilter {
  private readonly words = new Uint32Array(BITS / 32);

  add(name: string): void {
    for (const bit of bitsOf(name)) this.words[bit >>> 5] = (this.words[bit >>> 5] as number) | (1 << (bit & 31));
  }

  has(name: string): boolean {
    return bitsOf(name).every((bit) => (((this.words[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1);
  }
}

/** Two bits per name (Bloom filter): FNV-1a, and its final mix. */
function bitsOf(name: string): [number, number] {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  let other = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ name.length;
  other = Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  return [(hash ^ (hash >>> 15)) & (BITS - 1), (other ^ (other >>> 16)) & (BITS - 1)];
}
