/**
 * How far the clock of a device is off. One request tells it only with the time that it took in it, and requests take different times: corrected
 * one by one, two events of a device that are 100 ms apart change places when the first one's request took 300 ms longer. So the first request
 * of a device measures its clock, and the later ones use the same.
 */
import type { JsonObject } from '#src/kit/json.ts';
import type { Recent } from '#src/kit/recent.ts';

/** By device: milliseconds from its clock to ours. */
export type DeviceClocks = Recent<string, number>;

/** Requests that differ by more: the clock was set meanwhile, or one was very slow. It is measured again. */
const MAX_DIFFERENCE_MS = 5_000;
/** Longer ids are not remembered. */
const MAX_ID_LENGTH = 100;

/**
 * Milliseconds to add to times of the client's own clock.
 *
 * @param measured receipt of this request, minus when the client says that it sent it
 */
export function clockOffset(clocks: DeviceClocks, properties: JsonObject, measured: number): number {
  const device = deviceOf(properties);
  if (device === null) return measured;
  const known = clocks.get(device);
  if (known !== undefined && Math.abs(measured - known) <= MAX_DIFFERENCE_MS) return known;
  clocks.set(device, measured);
  return measured;
}

function deviceOf({ $device_id: device, $session_id: session }: JsonObject): string | null {
  const id = typeof device === 'string' && device !== '' ? device : session;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : null;
}
