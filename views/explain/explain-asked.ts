/** Queries of the explanations of screens. Not in the first load, since most screens are opened without one. */
import type { ExploredInput } from '#src/explorer/contract.ts';
import type { PeopleInput } from '#src/profiles/contract.ts';
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
