/** A goal that is changed beside the page, which shows its numbers. */
import type { Goal } from '#src/insights/goals/contract.ts';
import { SidePanel } from '#views/kit/SidePanel.tsx';
import { goalWords } from '#views/words/goals.ts';
import { usePart } from '#views/words/words.tsx';
import { GoalForm } from './GoalForm.tsx';

export interface GoalPanelProps {
  reference: string;
  goal: Goal;
  /** The address of the page without it. */
  closeHref: string;
  /** Closes it; absent: the address does. */
  onClose?: () => void;
}

export function GoalPanel({ reference, goal, closeHref, onClose }: GoalPanelProps) {
  const own = usePart(goalWords);
  return (
    <SidePanel label={own.editTitle(goal.name)} {...(onClose ? { onClose } : { closeHref })}>
      <GoalForm key={goal.id} reference={reference} goal={goal} doneHref={closeHref} onDone={onClose} />
    </SidePanel>
  );
}
