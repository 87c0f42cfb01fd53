/** A number for each visit, by the visit's number: visits of a chunk lie close together, so they are kept in pages. Pure. */

const PAGE = 1024;

export class ByVisitNumber {
  private readonly none: number;
  private readonly pages = new Map<number, Int32Array>();
  private lastPage = -1;
  private last: Int32Array | undefined;

  /** @param none value of all others, and of events without a visit */
  constructor(none: number) {
    this.none = none;
  }

  of(visit: number): number {
    const page = Math.floor(visit / PAGE);
    this.turnTo(page);
    return this.last === undefined ? this.none : (this.last[visit - page * PAGE] as number);
  }

  set(visit: number, value: number): void {
    const page = Math.floor(visit / PAGE);
    this.turnTo(page);
    if (this.last === undefined) {
      this.last = new Int32Array(PAGE).fill(this.none);
      this.pages.set(page, this.last);
    }
    this.last[visit - page * PAGE] = value;
  }

  private turnTo(page: number): void {
    if (page === this.lastPage) return;
    this.last = this.pages.get(page);
    this.lastPage = page;
  }
}
