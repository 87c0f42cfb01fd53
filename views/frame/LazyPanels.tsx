/** Panels over the page, loaded on first use. */
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { PanelName, PanelProps } from './panels.ts';

const Palette = lazyPart<PanelProps>('panels', async () => (await import('#views/areas/panels.ts')).Palette);
const KeyList = lazyPart<PanelProps>('panels', async () => (await import('#views/areas/panels.ts')).KeyList);

export function LazyPanels({ open, ...props }: PanelProps & { open: PanelName | null }) {
  if (open === null) return null;
  return <Late>{open === 'palette' ? <Palette {...props} /> : <KeyList {...props} />}</Late>;
}
