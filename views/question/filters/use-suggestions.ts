/** Suggestions of the server: properties once, values debounced. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RangeInput } from '#src/insights/contract.ts';
import type { FilterProperties, FilterValues } from '#src/insights/suggestions/contract.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { hasWords, type PropertyRef, sentValue } from './wording.ts';

const DELAY_MS = 150;

export function useProperties(project: string): FilterProperties | null {
  const trpc = useTrpc();
  return useKnown(trpc.insights.properties.queryOptions({ project })).data ?? null;
}

/** Null until they are known, or when none are wanted. */
export function useValues(
  project: string,
  range: RangeInput,
  named: PropertyRef | null,
  typed: string,
): { values: FilterValues | null; isLooking: boolean; hasFailed: boolean } {
  const trpc = useTrpc();
  const asked = useDelayed(typed);
  // Values with labels are few, and are searched by label.
  const search = named === null ? asked : hasWords(named) ? '' : sentValue(named, asked.toLowerCase());
  const { about, name } = named ?? { about: 'event' as const, name: ' ' };
  const { data, isFetching, isError, isPaused } = useQuery({
    ...trpc.insights.values.queryOptions({ project, range, about, name, search }),
    enabled: named !== null,
    placeholderData: keepPreviousData,
  });
  return { values: named === null ? null : (data ?? null), isLooking: isFetching, hasFailed: isError || isPaused };
}

function useDelayed(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), DELAY_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
