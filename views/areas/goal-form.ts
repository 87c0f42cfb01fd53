/** Making and changing goals. */
export { GoalForm } from '#views/goal/GoalForm.tsx';
export { GoalPanel } from '#views/goal/GoalPanel.tsx';
