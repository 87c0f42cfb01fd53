/**
 * Ends open streams of people who lost access: signed out, removed, with a lesser role, or with a sign-in that is too old. The database
 * notifies changed rights immediately (`CHANNEL`). Rights that expire are found by polling: one query every few seconds for all streams of the
 * process, and none while no stream is open.
 */
import type { Role } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { isAtLeast } from './contract.ts';
import * as queries from './queries.ts';
import { SIGN_IN_IDLE_MS, SIGN_IN_WHOLE_MS } from './values.ts';

/** Channel of the NOTIFY with the id of a person who may have lost rights (migration 0027). */
const CHANNEL = 'luneta_access';

export interface Watched {
  /** The sign-in session that the stream belongs to. */
  sid: string;
  userId: number;
  teamId: number;
  /** The least role that the stream needs. */
  least: Role;
}

/** Access of an open stream. */
export interface Access {
  /** Fires when it is gone. */
  readonly lost: AbortSignal;
  /** While it is checked because rights changed: nothing is sent until this has settled. It never rejects. */
  readonly pending: Promise<void> | null;
}

export interface AccessWatch {
  /** The channel to listen on. Call `changed` with each payload, and `missed` after a lost connection. */
  readonly channel: string;
  /** Watches a stream until `until` aborts. */
  watch(watched: Watched, until: AbortSignal): Access;
  /** Checks the streams of a person immediately. */
  changed(userId: number): void;
  /** Checks all streams immediately: notifications may have been missed. */
  missed(): void;
  stop(): void;
}

interface Open extends Watched {
  controller: AbortController;
  pending: Promise<void> | null;
}

const EVERY_MS = 10_000;

export function createAccessWatch(
  { db, log, clock }: Pick<Deps, 'db' | 'log' | 'clock'>,
  everyMs = EVERY_MS,
): AccessWatch {
  const open = new Set<Open>();
  let timer: NodeJS.Timeout | undefined;

  async function check(list: readonly Open[]): Promise<void> {
    const now = clock.now();
    const there = await queries.stillThere(db, list, {
      startedAfter: now - SIGN_IN_WHOLE_MS,
      seenAfter: now - SIGN_IN_IDLE_MS,
    });
    const roles = new Map(there.map(({ sid, team_id, role }) => [`${team_id} ${sid}`, role]));
    for (const { controller, sid, teamId, least } of list) {
      const role = roles.get(`${teamId} ${sid}`);
      if (role === undefined || !isAtLeast(role, least)) controller.abort();
    }
  }

  /** Holds the streams until it is known. When the database does not say, they end: clients open them again, and are asked who they are. */
  function checkNow(list: readonly Open[]): void {
    if (list.length === 0) return;
    const pending = check(list)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'streams closed: their permissions could not be checked');
        for (const { controller } of list) controller.abort();
      })
      .finally(() => {
        for (const each of list) if (each.pending === pending) each.pending = null;
      });
    for (const each of list) each.pending = pending;
  }

  function checkTimer(): void {
    timer ??= setInterval(() => {
      // While the database is away nobody's rights change; the next look finds out.
      check([...open]).catch((error: unknown) =>
        log.warn({ err: error }, 'failed to check permissions of open streams'),
      );
    }, everyMs).unref();
  }

  function rest(): void {
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    channel: CHANNEL,
    watch(watched, until) {
      const controller = new AbortController();
      const entry: Open = { ...watched, controller, pending: null };
      const access: Access = {
        lost: controller.signal,
        get pending() {
          return entry.pending;
        },
      };
      // Already aborted: the abort event would never fire.
      if (until.aborted) return access;
      const end = () => {
        open.delete(entry);
        rest();
      };
      open.add(entry);
      controller.signal.addEventListener('abort', end, { once: true });
      until.addEventListener('abort', end, { once: true });
      checkTimer();
      return access;
    },
    changed: (userId) => checkNow([...open].filter((each) => each.userId === userId)),
    missed: () => checkNow([...open]),
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
