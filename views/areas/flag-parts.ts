/** What stands beside the form of a flag. */
export { FlagCode } from '#views/screens/flags/FlagCode.tsx';
export { FlagParts } from '#views/screens/flags/FlagParts.tsx';
