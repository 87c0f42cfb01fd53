/**
 * Ends what nobody reads any more. Not waited for: it may be in the middle of a wait that only its own signal ends. How it ends is
 * nobody's business either; a rejection that nobody hears would end the process.
 */
export function letEnd(items: AsyncIterator<unknown>): void {
  items.return?.().catch(() => {});
}
