/** Constants and rules of session replay that the browser reads too: no schemas, so no zod comes along. */
import { isAtLeast, type Role } from '#src/accounts/values.ts';

/** Raw JSON of a packed block, bytes; a single larger event has a separate block. */
export const MAX_BLOCK_BYTES = 1024 * 1024;
/** Blocks of a session that are read by one request. */
export const MAX_BLOCKS_READ = 10_000;
/** Pages of a session that are listed with it. */
export const PAGES_LISTED = 3;
/** A session is over when nothing came for so long. */
export const SESSION_QUIET_MS = 30 * 60_000;

export const GB = 1_000_000_000;
/** Part of a project's budget from which it is warned, and from which half the sample is recorded. */
export const BUDGET_WARN = 0.8;
export const BUDGET_THIN = 0.9;

/** True when a member with this role may watch recordings of the project. */
export function canWatchReplays(role: Role, replay: { viewersWatch: boolean }): boolean {
  return isAtLeast(role, 'member') || replay.viewersWatch;
}
