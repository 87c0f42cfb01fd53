/** A set of visits by number. Numbers that are close were given at about the same time, so pages of bits are mostly full. Pure. */

const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;

export class SessionSet {
  private readonly pages = new Map<number, Uint8Array>();
  private lastNumber = -1;
  private lastPage: Uint8Array | undefined;

  /** @param lists numbers, in any order and more than once */
  constructor(lists: Iterable<ArrayLike<number>> = []) {
    for (const list of lists) for (let at = 0; at < list.length; at++) this.add(list[at] as number);
  }

  add(id: number): void {
    const number = Math.floor(id / PAGE);
    let page = this.page(number);
    if (page === undefined) {
      page = new Uint8Array(PAGE / 8);
      this.pages.set(number, page);
      this.lastPage = page;
    }
    const bit = id % PAGE;
    page[bit >> 3] = (page[bit >> 3] as number) | (1 << (bit & 7));
  }

  has(id: number): boolean {
    const page = this.page(Math.floor(id / PAGE));
    if (page === undefined) return false;
    const bit = id % PAGE;
    return ((page[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
  }

  private page(number: number): Uint8Array | undefined {
    if (number !== this.lastNumber) {
      this.lastNumber = number;
      this.lastPage = this.pages.get(number);
    }
    return this.lastPage;
  }
}
