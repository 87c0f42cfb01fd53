/** Which screens say how their numbers are counted, what they ask for that, and how it stands in the address. */
import type { PeopleInput } from '#src/profiles/contract.ts';
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';

export type AskedScreen =
  | { screen: 'live' | 'ingestion'; project: string }
  | { screen: 'people'; project: string; input: PeopleInput }
  | { screen: 'person'; project: string; person: string }
  | { screen: 'definitions'; project: string; kind: 'event' | 'property' };

export function explanationOf(trpc: Trpc, asked: AskedScreen): ScreenQuery['options'] {
  const { project } = asked;
  switch (asked.screen) {
    case 'live':
      return trpc.insights.explainNow.queryOptions({ project });
    case 'ingestion':
      return trpc.collect.explain.queryOptions({ project });
    case 'people': {
      const { after: _, ...input } = asked.input;
      return trpc.profiles.explainList.queryOptions(input);
    }
    case 'person':
      return trpc.profiles.explain.queryOptions({ project, person: asked.person });
    case 'definitions':
      return trpc.explorer.explain.queryOptions({ project, kind: asked.kind });
  }
}

const NUMBERS = 'numbers';

/** What a screen asks when its address says that it explains its numbers. */
export function explainQueries(trpc: Trpc, search: URLSearchParams, asked: AskedScreen): ScreenQuery[] {
  return search.get('explain') === NUMBERS ? [{ options: explanationOf(trpc, asked), critical: true }] : [];
}

/** Whether the numbers of the screen are explained, and its address with the other. */
export function useExplained(): { isOpen: boolean; href: string } {
  const { place } = useNavigation();
  const search = new URLSearchParams(place.search);
  search.delete('wait'); // it is about how the page comes
  const isOpen = search.get('explain') === NUMBERS;
  if (isOpen) search.delete('explain');
  else search.set('explain', NUMBERS);
  const text = search.toString();
  return { isOpen, href: text === '' ? place.path : `${place.path}?${text}` };
}
