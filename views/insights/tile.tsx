/** Whether an answer is drawn in a tile of a dashboard: its chart alone, without tools and further tables. */
import { createContext, type ReactNode, useContext } from 'react';

const TileContext = createContext(false);

export function InTile({ children }: { children: ReactNode }) {
  return <TileContext value={true}>{children}</TileContext>;
}

export function useIsTile(): boolean {
  return useContext(TileContext);
}

/** Parts of an answer that a tile leaves out. */
export function OutsideTile({ children }: { children: ReactNode }) {
  return useIsTile() ? null : children;
}
