/**
 * A Suspense boundary for late content: code of a part, or a result that the server still streams. Unlike React's, the server's markup
 * stays until it is hydrated: there, any update of the parent would discard the markup and render the part again, which
 * loses clicks, typed text and the scroll position.
 */
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { never } from '#views/known.ts';

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

/** Drawn by the browser alone, there is nothing to take over. */
const inBrowser = () => true;
const onServer = () => false;
