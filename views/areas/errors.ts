/** Errors: issues. */
export * as issue from '#views/screens/issues/Issue.tsx';
export * as issues from '#views/screens/issues/Issues.tsx';
