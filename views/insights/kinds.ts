/** The one list of kinds: the cards of their queries, and their answers. What they are called is in `words/insights.ts`. */

import { EventPart } from './EventPart.tsx';
import { FunnelAnswer } from './funnel/FunnelAnswer.tsx';
import { FunnelCards } from './funnel/FunnelCards.tsx';
import type { KindName } from './insight.ts';
import type { KindView } from './kind-view.ts';
import { LifecycleAnswer, lifecycleCharts } from './lifecycle/LifecycleAnswer.tsx';
import { PathsAnswer } from './paths/PathsAnswer.tsx';
import { PathsCards } from './paths/PathsCards.tsx';
import { RetentionAnswer, retentionCharts } from './retention/RetentionAnswer.tsx';
import { RetentionCards } from './retention/RetentionCards.tsx';
import { StickinessAnswer, stickinessCharts } from './stickiness/StickinessAnswer.tsx';
import { StickinessCards } from './stickiness/StickinessCards.tsx';
import { TrendsAnswer, trendsCharts } from './trends/TrendsAnswer.tsx';
import { TrendsCards } from './trends/TrendsCards.tsx';

export const kindViews = {
  funnel: { charts: [], Cards: FunnelCards, Answer: FunnelAnswer },
  lifecycle: { charts: lifecycleCharts, Cards: EventPart, Answer: LifecycleAnswer },
  paths: { charts: [], Cards: PathsCards, Answer: PathsAnswer },
  retention: { charts: retentionCharts, Cards: RetentionCards, Answer: RetentionAnswer },
  stickiness: { charts: stickinessCharts, Cards: StickinessCards, Answer: StickinessAnswer },
  trends: { charts: trendsCharts, Cards: TrendsCards, Answer: TrendsAnswer },
} satisfies { [Kind in KindName]?: KindView<Kind> };

/** What the editor shows a kind with, whichever it is. */
export function viewOf(kind: KindName): KindView<KindName> {
  return kindViews[kind as keyof typeof kindViews] as unknown as KindView<KindName>;
}

export function isShown(kind: KindName): boolean {
  return Object.hasOwn(kindViews, kind);
}
