/** For content that loads when it becomes visible. */
import { type RefObject, useEffect, useState } from 'react';

/** True from when the element comes into sight. */
export function useSeen(element: RefObject<Element | null>, isSeenAtFirst = false): boolean {
  const [isSeen, setSeen] = useState(isSeenAtFirst);
  useEffect(() => {
    if (isSeen || element.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen, element]);
  return isSeen;
}
