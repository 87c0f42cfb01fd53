/** Moves a row of a list by mouse, pen or finger. The rows that it passes give way, and nothing changes before it is let go. */
import type { PointerEvent } from 'react';

/** Near an edge of the window the page scrolls, px. */
const EDGE = 56;
const SCROLL_STEP = 12;

/** @param row one of the children of its list */
export function dragRow(
  event: PointerEvent<HTMLElement>,
  row: HTMLElement,
  onMove: (from: number, to: number) => void,
): void {
  const list = row.parentElement;
  if (event.button !== 0 || list === null) return;
  const handle: HTMLElement = event.currentTarget;
  const rows = [...list.children] as HTMLElement[];
  const from = rows.indexOf(row);
  const { height } = row.getBoundingClientRect();
  const middles = rows.map((each) => middleOf(each));
  const startY = event.pageY;
  const over = new AbortController();
  let to = from;

  function place(y: number): void {
    const shift = y - startY;
    to = placeOf(middles, from, shift);
    for (const [at, each] of rows.entries()) {
      const isPassed = at === from || (at - from) * (at - to) <= 0;
      const by = at === from ? shift : isPassed ? (at > from ? -height : height) : 0;
      each.style.transform = by === 0 ? '' : `translateY(${by}px)`;
    }
  }

  function end(isDropped: boolean): void {
    over.abort();
    row.removeAttribute('data-dragged');
    for (const each of rows) each.style.transform = '';
    if (!isDropped || to === from) return;
    onMove(from, to);
    focusHandle(list, to);
  }

  const options = { signal: over.signal };
  handle.setPointerCapture(event.pointerId);
  row.setAttribute('data-dragged', '');
  handle.addEventListener(
    'pointermove',
    ({ pageY, clientY }) => {
      if (clientY < EDGE) window.scrollBy(0, -SCROLL_STEP);
      else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, SCROLL_STEP);
      place(pageY);
    },
    options,
  );
  handle.addEventListener('pointerup', () => end(true), options);
  handle.addEventListener('pointercancel', () => end(false), options);
  handle.addEventListener('lostpointercapture', () => end(false), options);
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), options);
}

/** Where a row comes to that was moved so far: behind all whose middles are before its own. */
export function placeOf(middles: readonly number[], from: number, shift: number): number {
  const own = (middles[from] ?? 0) + shift;
  return middles.filter((middle, at) => at !== from && middle < own).length;
}

/** The row that was moved keeps the focus at its new place. */
export function focusHandle(list: Element | null | undefined, place: number): void {
  setTimeout(() => list?.children[place]?.querySelector<HTMLElement>('[data-handle]')?.focus());
}

/** On the page, px. */
function middleOf(row: HTMLElement): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2 + window.scrollY;
}
