/** The event that is open beside a list. What shows it is loaded when one is opened, or comes with the page. */

import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { EventPanelProps } from './EventPanel.tsx';

const EventPanel = lazyPart<EventPanelProps>('EventPanel', async () => (await import('./EventPanel.tsx')).EventPanel);

export function OpenEvent(props: EventPanelProps) {
  return (
    <Late>
      <EventPanel {...props} />
    </Late>
  );
}
