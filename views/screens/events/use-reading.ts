/** Is someone reading the list? Then nothing may move under the pointer. */
import { type RefObject, useEffect, useState } from 'react';

/** True while the pointer or the focus is in the list, or its beginning has been scrolled away. */
export function useReading(list: RefObject<HTMLElement | null>): boolean {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const stop = new AbortController();
    const { signal } = stop;
    // A finger points only while it touches: scrolling is the better sign.
    const point = (on: boolean) => (event: PointerEvent) => event.pointerType === 'mouse' && setPointed(on);
    element.addEventListener('pointerenter', point(true), { signal });
    element.addEventListener('pointerleave', point(false), { signal });
    element.addEventListener('focusin', () => setFocused(element.matches(':has(:focus-visible)')), { signal });
    element.addEventListener('focusout', () => setFocused(false), { signal });
    const start = new IntersectionObserver(([entry]) => {
      if (entry) setScrolled(!entry.isIntersecting && entry.boundingClientRect.top < 0);
    });
    const first = element.firstElementChild;
    if (first) start.observe(first);
    return () => {
      stop.abort();
      start.disconnect();
    };
  }, [list]);
  return pointed || focused || scrolled;
}
