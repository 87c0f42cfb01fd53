/** Kinds of insights that are asked less often than trends and funnels. */
export { LifecycleAnswer } from '#views/insights/lifecycle/LifecycleAnswer.tsx';
export { LifecycleCards } from '#views/insights/lifecycle/LifecycleCards.tsx';
export { PathsAnswer } from '#views/insights/paths/PathsAnswer.tsx';
export { PathsCards } from '#views/insights/paths/PathsCards.tsx';
export { RetentionAnswer } from '#views/insights/retention/RetentionAnswer.tsx';
export { RetentionCards } from '#views/insights/retention/RetentionCards.tsx';
export { StickinessAnswer } from '#views/insights/stickiness/StickinessAnswer.tsx';
export { StickinessCards } from '#views/insights/stickiness/StickinessCards.tsx';
