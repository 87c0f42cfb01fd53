/**
 * Sets of visits by number. Numbers that are close were given at about the same time, and a day's visits lie together: a bit for each
 * number of the pages that hold one. Pure, but for memory that is used again.
 */
import { SCRATCH, scratch } from './scratch.ts';

/** One chunk's part of a set, in shared memory: for each page its number in two halves, then its bits. */
export type SessionList = Int32Array<SharedArrayBuffer>;

/** Numbers of a page, and the words that hold their bits. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
const WORDS = PAGE / 32;
const RECORD = WORDS + 2;
const HALF = 0x1_0000_0000;

export class SessionListBuilder {
  private records = new Int32Array(RECORD * 8);
  private length = 0;
  private readonly places = new Map<number, number>();
  private lastPage = -1;
  private lastPlace = 0;

  add(id: number): void {
    const page = pageWith(id);
    if (page !== this.lastPage) {
      this.lastPlace = this.places.get(page) ?? this.begin(page);
      this.lastPage = page;
    }
    const bit = id - page * PAGE;
    const place = this.lastPlace + 2 + (bit >> 5);
    this.records[place] = (this.records[place] as number) | (1 << (bit & 31));
  }

  private begin(page: number): number {
    const place = this.length;
    this.length += RECORD;
    if (this.length > this.records.length) {
      const larger = new Int32Array(this.records.length * 2);
      larger.set(this.records);
      this.records = larger;
    }
    this.records[place] = page % HALF;
    this.records[place + 1] = page / HALF;
    this.places.set(page, place);
    return place;
  }

  finish(): SessionList {
    const list = new Int32Array(new SharedArrayBuffer(this.length * 4));
    list.set(this.records.subarray(0, this.length));
    return list;
  }
}

/** Small numbers are quicker by bits. */
const MAX_SMALL = 0x7fff_ffff;

function pageWith(id: number): number {
  return id <= MAX_SMALL ? id >> PAGE_BITS : Math.floor(id / PAGE);
}

/** Further apart than this, pages are looked up by their number instead of by their place: 16 MB for four thousand million visits. */
const MAX_PLACES = 1 << 22;

export class SessionSet {
  /** Bits of the pages that there are; the first stands for all others. */
  private readonly words: Int32Array;
  private readonly first: number;
  /** Offset of each page's bits; 0: absent. */
  private readonly places: Int32Array;
  private readonly far = new Map<number, number>();

  constructor(lists: readonly SessionList[] = []) {
    const pages = new Map<number, number>();
    for (const list of lists) {
      for (let at = 0; at < list.length; at += RECORD) {
        const page = pageOf(list, at);
        if (!pages.has(page)) pages.set(page, (pages.size + 1) * WORDS);
      }
    }
    this.words = new Int32Array((pages.size + 1) * WORDS);
    for (const list of lists) {
      for (let at = 0; at < list.length; at += RECORD) {
        const place = pages.get(pageOf(list, at)) as number;
        for (let word = 0; word < WORDS; word++) {
          this.words[place + word] = (this.words[place + word] as number) | (list[at + 2 + word] as number);
        }
      }
    }
    let [least, most] = [Number.POSITIVE_INFINITY, -1];
    for (const page of pages.keys()) {
      least = Math.min(least, page);
      most = Math.max(most, page);
    }
    this.first = most < 0 ? 0 : least;
    const isNear = most - least < MAX_PLACES;
    this.places = new Int32Array(most >= 0 && isNear ? most - least + 1 : 0);
    for (const [page, place] of pages) {
      if (isNear) this.places[page - this.first] = place;
      else this.far.set(page, place);
    }
  }

  has(id: number): boolean {
    const page = pageWith(id);
    const bit = id <= MAX_SMALL ? id & (PAGE - 1) : id - page * PAGE;
    return (((this.words[this.placeOf(page) + (bit >> 5)] as number) >> (bit & 31)) & 1) === 1;
  }

  /**
   * A bit for each of so many numbers from one on, in memory that is used again.
   * @returns also the bit of the first number
   */
  bitsFrom(first: number, count: number): { words: Int32Array; at: number } {
    const page = Math.floor(first / PAGE);
    const at = first - page * PAGE;
    const pages = Math.ceil((at + count) / PAGE);
    const words = scratch(SCRATCH.marked, pages * WORDS);
    for (let next = 0; next < pages; next++) {
      const place = this.placeOf(page + next);
      words.set(this.words.subarray(place, place + WORDS), next * WORDS);
    }
    return { words, at };
  }

  /** Offset of a page's bits. */
  private placeOf(page: number): number {
    const near = page - this.first;
    if (near >= 0 && near < this.places.length) return this.places[near] as number;
    return this.far.size > 0 ? (this.far.get(page) ?? 0) : 0;
  }
}

/** The blocks of so many numbers in which a list has visits. */
export function blocksOfList(list: SessionList, size: number): Set<number> {
  const blocks = new Set<number>();
  for (let at = 0; at < list.length; at += RECORD) blocks.add(Math.floor((pageOf(list, at) * PAGE) / size));
  return blocks;
}

function pageOf(list: SessionList, at: number): number {
  return ((list[at] as number) >>> 0) + (list[at + 1] as number) * HALF;
}
