/** Cohorts. */
export * as cohorts from '#views/screens/cohorts/Cohorts.tsx';
