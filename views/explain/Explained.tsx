/** Explanation of the numbers of a screen or part; the URL determines whether it is open. */
import { ExplainScreen } from './ExplainScreen.tsx';
import type { AskedScreen } from './explain-asked.ts';
import { type Numbers, useExplained } from './explain-screen.ts';

export interface ExplainedProps {
  asked: AskedScreen;
  timeZone: string;
  /** Absent: those of the screen. */
  numbers?: Numbers;
}

export function Explained({ asked, timeZone, numbers }: ExplainedProps) {
  const explained = useExplained(numbers);
  return <ExplainScreen asked={asked} {...explained} timeZone={timeZone} />;
}
