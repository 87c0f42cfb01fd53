/** The form of a goal, loaded when it is opened. */
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { GoalFormProps } from './GoalForm.tsx';
import type { GoalPanelProps } from './GoalPanel.tsx';

export const GoalForm = lazyPart<GoalFormProps>(
  'goal-form',
  async () => (await import('#views/areas/goal-form.ts')).GoalForm,
);

export const GoalPanel = lazyPart<GoalPanelProps>(
  'goal-form',
  async () => (await import('#views/areas/goal-form.ts')).GoalPanel,
);
