/** The form of a goal beside other screens, loaded when it is opened. */
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { GoalPanelProps } from './GoalPanel.tsx';

export const GoalPanel = lazyPart<GoalPanelProps>(
  'goals',
  async () => (await import('#views/areas/goals.ts')).GoalPanel,
);
