/**
 * The step that puts what events say of their persons and groups in order within a millisecond. Between equal times the uuid decides, and most
 * clients' are random: of one request, what stands later is later.
 */
import { type Draft, NO_WISH, PERSONLESS, type StepContext } from './draft.ts';
import { beyondMs } from './time.ts';

/** A microsecond, in ms: a double resolves about a quarter of one today. */
const STEP_MS = 0.001;
/** The thousandth of one millisecond and those after it are left to their uuids. */
const LAST_STEP_MS = 0.999;

/** Sending the same request again gives the same. */
export function orderWithinMillisecond(draft: Draft, { facts: { receivedAt }, earlier }: StepContext): null {
  const { person, groupIdentify, ts, receipt, distinctId } = draft;
  if ((person === NO_WISH || person === PERSONLESS) && groupIdentify === undefined) return null;
  const ms = Math.min(ts, Math.floor(receipt));
  let at = ts > receipt ? ms : ms + beyondMs(draft);
  const last = earlier?.lastTimes.get(distinctId);
  if (last !== undefined && at <= last && Math.floor(last) === ms && !isInOrder(draft)) {
    at = Math.min(last + STEP_MS, ms + LAST_STEP_MS);
  }
  earlier?.lastTimes.set(distinctId, at);
  if (at !== Math.min(ts, receivedAt)) draft.orderedAt = at;
  return null;
}

/** Client-made UUIDv7s increase with each event, across requests: they give the order. */
function isInOrder({ uuid, raw }: Draft): boolean {
  return uuid.charCodeAt(14) === 0x37 /* 7 */ && typeof raw['uuid'] === 'string' && raw['uuid'] !== '';
}
