/**
 * Closes an iterator that is no longer read. Not awaited: it may be in a wait that only its own signal ends. Its rejection is
 * ignored, because an unhandled one would end the process.
 */
export function letEnd(items: AsyncIterator<unknown>): void {
  items.return?.().catch(() => {});
}
