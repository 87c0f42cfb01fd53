/** Exceptions ready to be grouped, and what issues show of them. Pure. */
import type { StoredException } from '#src/events/exceptions.ts';
import type { JsonObject } from '#src/kit/json.ts';
import type { Exception } from './contract.ts';
import { culpritOf, isUnhandled, readLevel, readRelease } from './exception.ts';
import type { Fingerprints } from './fingerprint.ts';
import type { Seen } from './grouping-queries.ts';
import { normalizeMessage } from './normalize.ts';

const MAX_MESSAGE = 500;

/** An exception, ready to be grouped. */
export interface Prepared {
  stored: StoredException;
  exceptions: Exception[];
  fingerprints: Fingerprints;
  release: string | null;
  level: string;
}

/** What occurrences say of their issue, the newest first of all. */
export function seenOf(own: readonly Prepared[]): Seen {
  const byTime = [...own].sort((one, other) => one.stored.ts - other.stored.ts);
  const first = byTime[0] as Prepared;
  const last = byTime.at(-1) as Prepared;
  const released = byTime.filter(({ release }) => release !== null);
  return {
    ...shownOf(last.exceptions),
    messageFrom: last.stored.distinctId,
    level: last.level,
    unhandled: own.some(({ exceptions }) => isUnhandled(exceptions)),
    events: own.length,
    firstSeen: first.stored.ts,
    lastSeen: last.stored.ts,
    firstRelease: released[0]?.release ?? null,
    lastRelease: released.at(-1)?.release ?? null,
  };
}

function shownOf(exceptions: readonly Exception[]): Pick<Seen, 'type' | 'message' | 'culprit'> {
  const [exception] = exceptions;
  return {
    type: exception?.type ?? 'Error',
    message: (exception?.value ?? '').slice(0, MAX_MESSAGE),
    culprit: culpritOf(exceptions),
  };
}

/** An event as a separate issue would show it: the message without values, since it may be that of another person. */
export function describeEvent(
  exceptions: readonly Exception[],
  { ts, properties }: { ts: number; properties: JsonObject },
): Seen {
  const release = readRelease(properties);
  const { message, ...shown } = shownOf(exceptions);
  return {
    ...shown,
    message: plainMessage(message),
    messageFrom: null,
    level: readLevel(properties),
    unhandled: isUnhandled(exceptions),
    events: 1,
    firstSeen: ts,
    lastSeen: ts,
    firstRelease: release,
    lastRelease: release,
  };
}

/** A message that holds nothing of a person. */
export function plainMessage(message: string): string {
  return normalizeMessage(message);
}
