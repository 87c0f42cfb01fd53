/** Panels over the page. */
export type PanelName = 'palette' | 'keys';

export interface PanelProps {
  onClose(): void;
  onOpen(panel: PanelName): void;
}
