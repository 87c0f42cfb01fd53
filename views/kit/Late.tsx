/**
 * Where what comes late will be: code of a part, or an answer that the server still streams. As React's own, but what the server has drawn
 * stands until it is taken over: there, any new drawing of what is around would throw the markup away and render the part again, which
 * loses presses, what was typed and where the reader was.
 */
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';

export interface LateProps {
  /** Until it is there, when the server has not drawn it. */
  fallback?: ReactNode;
  children: ReactNode;
}

export function Late({ fallback, children }: LateProps) {
  const [isTaken, setTaken] = useState(useSyncExternalStore(never, inBrowser, onServer));
  const shown = (
    <Suspense fallback={fallback}>
      {children}
      <Taken tell={setTaken} />
    </Suspense>
  );
  const [first] = useState(shown);
  return isTaken ? shown : first;
}

/** Comes to life with what it stands beside. */
function Taken({ tell }: { tell(isTaken: true): void }) {
  useEffect(() => tell(true), [tell]);
  return null;
}

const never = () => () => undefined;
/** Drawn by the browser alone, there is nothing to take over. */
const inBrowser = () => true;
const onServer = () => false;
