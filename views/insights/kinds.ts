/** The one list of kinds: the cards of their queries, and their answers. What they are called is in `words/insights.ts`. */
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { FunnelAnswer } from './funnel/FunnelAnswer.tsx';
import { FunnelCards } from './funnel/FunnelCards.tsx';
import type { KindName } from './insight.ts';
import type { AnswerProps, CardsProps, KindView } from './kind-view.ts';
import { TrendsAnswer } from './trends/TrendsAnswer.tsx';
import { TrendsCards } from './trends/TrendsCards.tsx';

/** Trends and funnels come with the screen, the others when they are asked. */
const AREA = 'insight-kinds';
const later = () => import('#views/areas/insight-kinds.ts');

const kindViews: { [Kind in KindName]: KindView<Kind> } = {
  trends: { Cards: TrendsCards, Answer: TrendsAnswer },
  funnel: { Cards: FunnelCards, Answer: FunnelAnswer },
  retention: {
    Cards: lazyPart<CardsProps<'retention'>>(AREA, async () => (await later()).RetentionCards),
    Answer: lazyPart<AnswerProps<'retention'>>(AREA, async () => (await later()).RetentionAnswer),
  },
  paths: {
    Cards: lazyPart<CardsProps<'paths'>>(AREA, async () => (await later()).PathsCards),
    Answer: lazyPart<AnswerProps<'paths'>>(AREA, async () => (await later()).PathsAnswer),
  },
  lifecycle: {
    Cards: lazyPart<CardsProps<'lifecycle'>>(AREA, async () => (await later()).LifecycleCards),
    Answer: lazyPart<AnswerProps<'lifecycle'>>(AREA, async () => (await later()).LifecycleAnswer),
  },
  stickiness: {
    Cards: lazyPart<CardsProps<'stickiness'>>(AREA, async () => (await later()).StickinessCards),
    Answer: lazyPart<AnswerProps<'stickiness'>>(AREA, async () => (await later()).StickinessAnswer),
  },
};

/** View of a kind. */
export function viewOf(kind: KindName): KindView<KindName> {
  return kindViews[kind] as unknown as KindView<KindName>;
}
