/**
 * Memory that all threads see, for columns that are read together: in pieces of some size, since each piece costs as much to make and to
 * hand to a thread as many kilobytes to copy. Columns of one name lie together: they are used together, and forgotten together.
 */

const MIN_SIZE = 32_768;
const MAX_SIZE = 1_048_576;

interface Slab {
  buffer: SharedArrayBuffer;
  used: number;
}

export class Slabs {
  private readonly open = new Map<string, Slab>();

  /** So many bytes, which begin at a multiple of eight. @param name what they are used together with */
  take(name: string, length: number): Uint8Array<SharedArrayBuffer> {
    let slab = this.open.get(name);
    if (slab === undefined || slab.used + length > slab.buffer.byteLength) {
      const size = slab === undefined ? MIN_SIZE : Math.min(slab.buffer.byteLength * 2, MAX_SIZE);
      slab = { buffer: new SharedArrayBuffer(Math.max(size, length)), used: 0 };
      this.open.set(name, slab);
    }
    const bytes = new Uint8Array(slab.buffer, slab.used, length);
    slab.used += Math.ceil(length / 8) * 8;
    return bytes;
  }

  /** The same for so many numbers. */
  floats(name: string, length: number): Float64Array<SharedArrayBuffer> {
    const { buffer, byteOffset } = this.take(name, length * 8);
    return new Float64Array(buffer, byteOffset, length);
  }
}
