/** How the numbers of a screen, or of one of its parts, are counted: its address says whether that is shown. The code comes after the screen. */
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { ExplainScreenProps } from './ExplainScreen.tsx';
import type { AskedScreen } from './explain-asked.ts';
import { type Numbers, useExplained } from './explain-screen.ts';

export const ExplainScreen = lazyPart<ExplainScreenProps>(
  'ExplainScreen',
  async () => (await import('./ExplainScreen.tsx')).ExplainScreen,
);

export interface ExplainedProps {
  asked: AskedScreen;
  timeZone: string;
  /** Absent: those of the screen. */
  numbers?: Numbers;
}

export function Explained({ asked, timeZone, numbers }: ExplainedProps) {
  const explained = useExplained(numbers);
  return (
    <Late>
      <ExplainScreen asked={asked} {...explained} timeZone={timeZone} />
    </Late>
  );
}
