/** Goals. */
export * as goals from '#views/screens/goals/Goals.tsx';
