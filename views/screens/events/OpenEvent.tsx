/** The event that is open beside a list. What shows it is loaded when one is opened, or comes with the page. */

import { EventPanel, type EventPanelProps } from '#views/event/EventPanel.tsx';
import { Late } from '#views/kit/Late.tsx';

export function OpenEvent(props: EventPanelProps) {
  return (
    <Late>
      <EventPanel {...props} />
    </Late>
  );
}
