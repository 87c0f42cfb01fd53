/** Goals: their screen, and changing one beside another screen. */
export { GoalPanel } from '#views/goal/GoalPanel.tsx';
export * as goals from '#views/screens/goals/Goals.tsx';
