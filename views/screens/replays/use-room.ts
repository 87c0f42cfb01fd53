/** The size of an element in CSS px, which is where a recorded page is drawn; null until it is known. */
import { type RefObject, useEffect, useState } from 'react';

export interface Room {
  width: number;
  height: number;
}

export function useRoom(box: RefObject<HTMLElement | null>): Room | null {
  const [room, setRoom] = useState<Room | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return room;
}
