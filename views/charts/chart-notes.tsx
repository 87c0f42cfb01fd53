/** Annotations that charts over time show and take, given to all charts below. */
import { createContext, type ReactNode, useContext } from 'react';
import type { ChartNote } from './line-chart.ts';

export interface ChartNotes {
  notes: readonly { at: number; text: string }[];
  /** Asks for one at a time, ms; null: the reader may not add any. */
  add: ((at: number) => void) | null;
}

const Context = createContext<ChartNotes>({ notes: [], add: null });

export function ChartNotesProvider({ value, children }: { value: ChartNotes; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** Of a chart over time, by interval. @param starts of its intervals */
export function useChartNotes(starts: readonly number[]): {
  notes: ChartNote[];
  onNote: ((index: number) => void) | undefined;
} {
  const { notes, add } = useContext(Context);
  return {
    notes: notes.map(({ at, text }) => ({ index: intervalOf(at, starts), text })),
    onNote: add === null ? undefined : (index) => add(starts[index] ?? 0),
  };
}

/** The interval that a time lies in; one before all others is in the first. */
export function intervalOf(at: number, starts: readonly number[]): number {
  return Math.max(
    0,
    starts.findLastIndex((start) => start <= at),
  );
}
