/** States of Brazil: headers and databases have the code or the name. Pure. */
import { brazilianStates } from '#src/kit/brazil/values.ts';
import { searchable } from '#src/kit/search/values.ts';
import type { Place } from './draft.ts';

const codes = new Map(Object.entries(brazilianStates).map(([code, name]) => [plain(name), code]));
// Its English name in databases.
codes.set('federal district', 'DF');

/** The place with the state's code and its name in Portuguese; as it is elsewhere, and where the state is not known. */
export function withBrazilianState(place: Place): Place {
  if (place.country !== 'BR') return place;
  const isCode = place.region !== null && Object.hasOwn(brazilianStates, place.region);
  const code = isCode ? place.region : codes.get(plain(place.regionName ?? ''));
  const name = brazilianStates[code ?? ''];
  return code == null || name === undefined ? place : { ...place, region: code, regionName: name };
}

function plain(name: string): string {
  return searchable(name)
    .replace(/^state of /, '')
    .trim();
}
