/** Experiments. */
export * as experiments from '#views/screens/experiments/Experiments.tsx';
