/** Shows an element on the whole screen. Browsers that refuse, or cannot, show it as it is. */
export function fillScreen(element: HTMLElement | null): void {
  element?.requestFullscreen?.().catch(() => undefined);
}
