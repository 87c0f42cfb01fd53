/**
 * What a mirror forwards: never more than the project stores. Requests that the project excludes are not forwarded,
 * and the visitor's address is masked as stored. Pure.
 */
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { EventResult, Sender } from './run-events.ts';
import { truncatedAddress } from './steps/geo.ts';
import { isOriginAllowed } from './steps/names.ts';

/** Details forwarded with the request. */
export interface ForwardDetails {
  /** Null while that cannot be determined: then whether it may be passed on is still to be decided. */
  projectId: number | null;
  /** The visitor's address, masked as the project stores it; '' for none. */
  address: string;
}

/** @param results the results of its events, when single events may be excluded */
export function mayPassOn(
  { allowedOrigins, respectDnt }: ProjectSettings,
  { origin, asksNotToTrack }: Pick<Sender, 'origin' | 'asksNotToTrack'>,
  results: readonly EventResult[] = [],
): boolean {
  if (!isOriginAllowed(origin, allowedOrigins) || (respectDnt && asksNotToTrack === true)) return false;
  const isKept = ({ outcome }: EventResult) => outcome === 'stored' || outcome === 'duplicate';
  return results.some(isKept) || !results.some(({ outcome }) => outcome === 'cookieless_off');
}

/** @param handling null: of a project that is not known, which may be the strictest */
export function forwardedAddress(handling: ProjectSettings['ipHandling'] | null, address: string | null): string {
  if (address === null || handling === null || handling === 'none') return '';
  return handling === 'full' ? address : truncatedAddress(address);
}
