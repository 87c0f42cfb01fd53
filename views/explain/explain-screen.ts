/** How it stands in the address of a screen that its numbers are explained. */
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenQuery } from '#views/screen.ts';

/** The explained numbers: those of the screen, or of one part. */
export type Numbers = 'numbers' | 'upstream';

/** Queries of an open explanation. */
export function explainQueries(
  search: URLSearchParams,
  options: ScreenQuery['options'],
  numbers: Numbers = 'numbers',
): ScreenQuery[] {
  return search.get('explain') === numbers ? [{ options, critical: true }] : [];
}

/** Whether the explanation is open, and the URL that toggles it. */
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
