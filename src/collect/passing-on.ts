/**
 * What a mirror's upstream is told, which is never more than the project would have kept here: nothing of a request of which the project
 * wants nothing, and of the visitor's address what is stored of it. Pure.
 */
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { EventResult, Sender } from './run-events.ts';
import { truncatedAddress } from './steps/geo.ts';
import { isOriginAllowed } from './steps/names.ts';

/** What is told besides the request itself. */
export interface ForwardDetails {
  /** Null while that cannot be determined: then whether it may be passed on is still to be decided. */
  projectId: number | null;
  /** The visitor's address, as far as the project keeps it; '' for none of it. */
  address: string;
}

/** @param results what became of its events, where some may have been left out by themselves */
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
