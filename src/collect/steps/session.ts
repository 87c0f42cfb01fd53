/** The step that decides whether the event belongs to a visit. */
import { lowerUuid, uuidV7Time } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Draft } from './draft.ts';

/** Clients stamp an event before they make its session's id, and some events are stamped with the time of their cause. */
const TOLERANCE_MS = 60_000;

/**
 * A client's session id counts when it is a UUIDv7 made at most a day before the event, by the client's own clock on both
 * sides. Any other id stays an ordinary property, and the event counts in events and persons but in no visit.
 */
export function putSession(draft: Draft): null {
  const id = draft.sent['$session_id'];
  if (typeof id !== 'string') {
    if (id !== undefined && id !== null) draft.properties['$session_id'] = id;
    return null;
  }
  const madeAt = uuidV7Time(id);
  if (madeAt === null) {
    if (id !== '') draft.properties['$session_id'] = lowerUuid(id) ?? id;
    return null;
  }
  const session = lowerUuid(id) ?? id;
  if (madeAt <= draft.clientTs + TOLERANCE_MS && madeAt > draft.clientTs - dayMs) draft.session = session;
  else draft.properties['$session_id'] = session;
  return null;
}
