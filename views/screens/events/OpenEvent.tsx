/** The event that is open beside a list. What shows it is loaded when one is opened, or comes with the page. */

import { Late } from '#views/kit/Late.tsx';
import { EventPanel, type EventPanelProps } from './EventPanel.tsx';

export function OpenEvent(props: EventPanelProps) {
  return (
    <Late>
      <EventPanel {...props} />
    </Late>
  );
}
