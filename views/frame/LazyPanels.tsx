/** What opens over the page, loaded when it is first opened. */
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';

export type PanelName = 'palette' | 'keys';

export interface PanelProps {
  onClose(): void;
  onOpen(panel: PanelName): void;
}

const Palette = lazyPart<PanelProps>('Palette', async () => (await import('./Palette.tsx')).Palette);
const KeyList = lazyPart<PanelProps>('KeyList', async () => (await import('./KeyList.tsx')).KeyList);

export function LazyPanels({ open, ...props }: PanelProps & { open: PanelName | null }) {
  if (open === null) return null;
  return <Late>{open === 'palette' ? <Palette {...props} /> : <KeyList {...props} />}</Late>;
}
