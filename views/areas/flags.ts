/** Feature flags. */
export * as flags from '#views/screens/flags/Flags.tsx';
