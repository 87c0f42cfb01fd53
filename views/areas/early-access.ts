/** Early access. */
export * as earlyAccess from '#views/screens/early-access/EarlyAccess.tsx';
