/** Session replay: the list of recordings and the player. */
export * as replay from '#views/screens/replays/Replay.tsx';
export * as replays from '#views/screens/replays/Replays.tsx';
