/** How often numbers that are still counted are asked for again. */
import { createContext, type ReactNode, useContext } from 'react';

const EVERY_MS = 60_000;

const Context = createContext<number | false>(EVERY_MS);

/** Milliseconds; false: not by itself. A minute, unless a screen says otherwise. */
export function useRefreshEvery(): number | false {
  return useContext(Context);
}

export function RefreshEvery({ ms, children }: { ms: number | false; children: ReactNode }) {
  return <Context value={ms}>{children}</Context>;
}
