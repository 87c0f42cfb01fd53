/** Which screens say how their numbers are counted, what they ask for that, and how it stands in the address. */
import type { ExploredInput } from '#src/explorer/contract.ts';
import type { PeopleInput } from '#src/profiles/contract.ts';
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenQuery } from '#views/screen.ts';
import type { Trpc } from '#views/trpc.ts';

export type AskedScreen =
  | { screen: 'home' | 'status' }
  | { screen: 'upstream' | 'files' | 'privacy'; project: string }
  | { screen: 'stored'; project: string; olderThanDays?: number }
  | { screen: 'list'; project: string; input: ExploredInput }
  | { screen: 'live' | 'ingestion'; project: string }
  | { screen: 'people'; project: string; input: PeopleInput }
  | { screen: 'person'; project: string; person: string }
  | { screen: 'definitions'; project: string; kind: 'event' | 'property' };

export function explanationOf(trpc: Trpc, asked: AskedScreen): ScreenQuery['options'] {
  switch (asked.screen) {
    case 'home':
      return trpc.insights.explainHome.queryOptions();
    case 'status':
      return trpc.status.explain.queryOptions();
    case 'upstream':
      return trpc.relay.explain.queryOptions();
    case 'stored':
      return trpc.events.explainStored.queryOptions({ project: asked.project, olderThanDays: asked.olderThanDays });
    case 'files':
      return trpc.explorer.explainFiles.queryOptions({ project: asked.project });
    case 'privacy':
      return trpc.privacy.explain.queryOptions({ project: asked.project });
    case 'list':
      return trpc.explorer.explainList.queryOptions(asked.input);
    case 'live':
      return trpc.insights.explainNow.queryOptions({ project: asked.project });
    case 'ingestion':
      return trpc.collect.explain.queryOptions({ project: asked.project });
    case 'people': {
      const { after: _, ...input } = asked.input;
      return trpc.profiles.explainList.queryOptions(input);
    }
    case 'person':
      return trpc.profiles.explain.queryOptions({ project: asked.project, person: asked.person });
    case 'definitions':
      return trpc.explorer.explain.queryOptions({ project: asked.project, kind: asked.kind });
  }
}

/** Which numbers of a screen: those of the screen, or of one of its parts. */
export type Numbers = 'numbers' | 'upstream';

/** What a screen asks when its address says that it explains these numbers. */
export function explainQueries(
  trpc: Trpc,
  search: URLSearchParams,
  asked: AskedScreen,
  numbers: Numbers = 'numbers',
): ScreenQuery[] {
  return search.get('explain') === numbers ? [{ options: explanationOf(trpc, asked), critical: true }] : [];
}

/** Whether these numbers are explained, and the address of the screen with the other. */
export function useExplained(numbers: Numbers = 'numbers'): { isOpen: boolean; href: string } {
  const { place } = useNavigation();
  const search = new URLSearchParams(place.search);
  search.delete('wait'); // it is about how the page comes
  const isOpen = search.get('explain') === numbers;
  if (isOpen) search.delete('explain');
  else search.set('explain', numbers);
  const text = search.toString();
  return { isOpen, href: text === '' ? place.path : `${place.path}?${text}` };
}
