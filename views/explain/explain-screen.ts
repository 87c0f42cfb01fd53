/** How it stands in the address of a screen that its numbers are explained. */
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenQuery } from '#views/screen.ts';

/** Which numbers of a screen: those of the screen, or of one of its parts. */
export type Numbers = 'numbers' | 'upstream';

/** What a screen asks when its address says that it explains these numbers. */
export function explainQueries(
  search: URLSearchParams,
  options: ScreenQuery['options'],
  numbers: Numbers = 'numbers',
): ScreenQuery[] {
  return search.get('explain') === numbers ? [{ options, critical: true }] : [];
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
