/**
 * Clock skew of devices. A measurement includes the latency of its request, which varies: corrected
 * one by one, two events 100 ms apart would change order when the first request took 300 ms longer. So a device's first request
 * measures its skew, and later ones reuse it.
 */
import type { JsonObject } from '#src/kit/json.ts';
import type { Recent } from '#src/kit/recent.ts';

/** Clock skew by device: milliseconds to add. */
export type DeviceClocks = Recent<string, number>;

/** A request that seems this much later was slow, for example sent again after a timeout. Beyond that the clock was set back. */
const MAX_LATENCY_MS = 60_000;
/** One that seems this much earlier: the first one was slow, or the clock was set forward. It is measured again. */
const MAX_GAIN_MS = 5_000;
/** Longer ids are not remembered. */
const MAX_ID_LENGTH = 100;

/**
 * Milliseconds to add to times of the client's own clock.
 *
 * @param measured time of receipt minus the client's time of sending, ms
 */
export function clockOffset(clocks: DeviceClocks, properties: JsonObject, measured: number): number {
  const device = deviceOf(properties);
  if (device === null) return measured;
  const known = clocks.get(device);
  if (known !== undefined && measured <= known + MAX_LATENCY_MS && measured >= known - MAX_GAIN_MS) return known;
  clocks.set(device, measured);
  return measured;
}

function deviceOf({ $device_id: device, $session_id: session }: JsonObject): string | null {
  const id = typeof device === 'string' && device !== '' ? device : session;
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : null;
}
