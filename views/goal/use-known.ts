/** What is offered in the fields of a goal: events by name, texts and links that were clicked, and properties of events. */
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
