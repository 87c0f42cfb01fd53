/**
 * Ends open streams of people who lost access: signed out, removed, with a lesser role, or with a sign-in that is too old. One question every few seconds for all streams of
 * the process, however many are open, and none while there are none.
 */
import type { Role } from '#src/projects/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { isAtLeast } from './contract.ts';
import { SIGN_IN_IDLE_MS, SIGN_IN_WHOLE_MS } from './lengths/contract.ts';
import * as queries from './queries.ts';

export interface Watched {
  /** The sign-in session that the stream belongs to. */
  sid: string;
  userId: number;
  teamId: number;
  /** The least role that the stream needs. */
  least: Role;
}

export interface AccessWatch {
  /** Fires when the access is gone; looking ends with `until`. */
  watch(watched: Watched, until: AbortSignal): AbortSignal;
  stop(): void;
}

const EVERY_MS = 10_000;

export function createAccessWatch(
  { db, log, clock }: Pick<Deps, 'db' | 'log' | 'clock'>,
  everyMs = EVERY_MS,
): AccessWatch {
  const open = new Map<AbortController, Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const list = [...open];
    const now = clock.now();
    const there = await queries.stillThere(
      db,
      list.map(([, watched]) => watched),
      { startedAfter: now - SIGN_IN_WHOLE_MS, seenAfter: now - SIGN_IN_IDLE_MS },
    );
    const roles = new Map(there.map(({ sid, team_id, role }) => [`${team_id} ${sid}`, role]));
    for (const [controller, { sid, teamId, least }] of list) {
      const role = roles.get(`${teamId} ${sid}`);
      if (role === undefined || !isAtLeast(role, least)) controller.abort();
    }
  }

  function tend(): void {
    timer ??= setInterval(() => {
      // While the database is away nobody's rights change; the next look finds out.
      look().catch((error: unknown) => log.warn({ err: error }, 'the rights of open streams could not be looked at'));
    }, everyMs).unref();
  }

  function rest(): void {
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(watched, until) {
      const controller = new AbortController();
      // Hung up before it began: nobody would ever tell us to stop looking.
      if (until.aborted) return controller.signal;
      const end = () => {
        open.delete(controller);
        rest();
      };
      open.set(controller, watched);
      controller.signal.addEventListener('abort', end, { once: true });
      until.addEventListener('abort', end, { once: true });
      tend();
      return controller.signal;
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
