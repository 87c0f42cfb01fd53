/** Constants of watching recordings that the browser reads too: no schemas, so no zod comes along. */

export const replaySorts = ['newest', 'longest', 'errors', 'active'] as const;
export type ReplaySort = (typeof replaySorts)[number];

/** `unwatched`: not watched by the reader. */
export const replayShows = ['all', 'unwatched', 'errors', 'rage'] as const;
export type ReplayShow = (typeof replayShows)[number];

/** Rows of a page of the list. */
export const REPLAYS_PER_PAGE = 50;
export const MAX_REPLAY_PAGE = 200;
export const MAX_REPLAY_SEARCH = 200;
/** Longest duration that can be asked for, seconds. */
export const MAX_REPLAY_SECONDS = 86_400;
/** Events of a session beside its recording. */
export const MAX_REPLAY_EVENTS = 2_000;
export const MAX_REPLAY_COMMENTS = 500;
export const MAX_COMMENT_LENGTH = 2_000;
/** A recording that something came for within this time is going on, ms. */
export const LIVE_MS = 60_000;
/** Speeds of playing. */
export const replaySpeeds = [0.5, 1, 2, 4, 8, 16] as const;
export type ReplaySpeed = (typeof replaySpeeds)[number];
