/** What opens over the page, loaded when it is first opened. */
import { lazy, Suspense } from 'react';

export type PanelName = 'palette' | 'keys';

export interface PanelProps {
  onClose(): void;
  onOpen(panel: PanelName): void;
}

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));
const KeyList = lazy(async () => ({ default: (await import('./KeyList.tsx')).KeyList }));

export function LazyPanels({ open, ...props }: PanelProps & { open: PanelName | null }) {
  if (open === null) return null;
  return <Suspense>{open === 'palette' ? <Palette {...props} /> : <KeyList {...props} />}</Suspense>;
}
