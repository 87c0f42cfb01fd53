/**
 * The server's clock in the browser: the time of rendering plus the time elapsed since. The
 * browser's clock may be wrong by hours, and "today" with it.
 */
import { useEffect, useState } from 'react';
import { useBoot } from '#views/settings.ts';

const MINUTE_MS = 60_000;

/** Now in ms, moving on every minute. Equal on both sides at first. */
export function useServerTime(): number {
  const { now, shell } = useBoot();
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    // The kept shell was made long ago: there the browser's clock is all there is.
    const start = shell ? performance.timeOrigin + performance.now() : now;
    const begin = performance.now();
    const move = () => setPassed(start - now + performance.now() - begin);
    if (shell) move();
    const timer = setInterval(move, MINUTE_MS);
    return () => clearInterval(timer);
  }, [now, shell]);
  return now + passed;
}
