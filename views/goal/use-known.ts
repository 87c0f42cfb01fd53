/** Options of the fields of a goal: event names, clicked texts and links, and event properties. */
import { useQuery } from '@tanstack/react-query';
import { useProperties } from '#views/question/filters/use-suggestions.ts';
import { useTrpc } from '#views/trpc.ts';

export type KnownKind = 'events' | 'texts' | 'hrefs' | 'properties';

/** Empty until they are there: anything can be typed. */
export function useKnown(project: string): Record<KnownKind, readonly string[]> {
  const trpc = useTrpc();
  const { data: known } = useQuery(trpc.insights.goals.known.queryOptions({ project }));
  const ofEvents = (useProperties(project) ?? []).filter(({ about }) => about === 'event').map(({ name }) => name);
  return {
    events: known?.events ?? [],
    texts: known?.texts ?? [],
    hrefs: known?.hrefs ?? [],
    properties: [...new Set(ofEvents)],
  };
}
