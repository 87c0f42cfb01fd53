/**
 * Requests that were refused as a whole: they reached no project, so nothing of them is stored. Developers who are installing want to know all the
 * same that something knocked, and why it was not let in; the server's administrator, how many. Of the last day, in all processes, and
 * of the last hour by the minute.
 */
import type { IncomingMessage } from 'node:http';
import { dayMs, hourMs } from '#src/kit/zone.ts';
import type { Processes } from '#src/processes/processes.ts';
import type { IngestMinute, RecentRefusal, RefusalReason } from './contract.ts';

export interface Refusals {
  note(reason: RefusalReason, req: IncomingMessage, at: number): void;
  /**
   * The newest one since `from` of the kinds that a mistake in a snippet makes, from one of these hosts; `null`: from any.
   * @throws while the database is away
   */
  newest(from: number, hosts: ReadonlySet<string> | null): Promise<RecentRefusal | null>;
  /** How many there were in hours that began at `from` or later. @throws while the database is away */
  count(from: number): Promise<Partial<Record<RefusalReason, number>>>;
  /** Refusals by minute from `from` on (at most an hour back), oldest first. @throws while the database is unavailable */
  minutes(from: number): Promise<IngestMinute[]>;
}

/** The report of one process. */
interface Refused {
  newest: RecentRefusal[];
  hours: Times[];
  /** Absent in reports of earlier versions. */
  minutes?: Times[];
}

/** How often in the hour or minute that began then. */
type Times = [begin: number, reason: RefusalReason, times: number];

const PART = 'refusals';
/** Maximum number of distinct refusals kept. Anyone can cause them, so they are few and short. */
const KEPT = 30;
const LONGEST_HOST = 253;
const LONGEST_CONTENT_TYPE = 100;
const HOURS = 25;
const MINUTES = 61;
const MINUTE_MS = 60_000;

export function createRefusals(processes: Pick<Processes, 'tell' | 'read' | 'soon'>): Refusals {
  let kept: RecentRefusal[] = [];
  let hours: Times[] = [];
  let minutes: Times[] = [];
  processes.tell<Refused>(PART, () => ({ newest: kept, hours, minutes }));

  return {
    note(reason, { headers }, at) {
      hours = withOneMore(hours, reason, at - (at % hourMs), HOURS * hourMs);
      minutes = withOneMore(minutes, reason, at - (at % MINUTE_MS), MINUTES * MINUTE_MS);
      if (reason !== 'token' && reason !== 'invalid') return;
      const host = hostOf(headers.origin ?? headers.referer);
      const contentType = headers['content-type']?.slice(0, LONGEST_CONTENT_TYPE) ?? null;
      const others = kept.filter(
        (each) =>
          each.at > at - dayMs && (each.reason !== reason || each.host !== host || each.contentType !== contentType),
      );
      kept = [{ at, reason, host, contentType }, ...others].slice(0, KEPT);
      processes.soon();
    },
    async newest(from, hosts) {
      const reports = await processes.read<Refused>(PART);
      const mine = reports
        .flatMap(({ says }) => says.newest)
        .filter(({ at, host }) => at >= from && (hosts === null || (host !== null && hosts.has(host))));
      return mine.sort((one, other) => other.at - one.at)[0] ?? null;
    },
    async count(from) {
      const sums: Partial<Record<RefusalReason, number>> = {};
      for (const { says } of await processes.read<Refused>(PART)) {
        for (const [hour, reason, times] of says.hours) if (hour >= from) sums[reason] = (sums[reason] ?? 0) + times;
      }
      return sums;
    },
    async minutes(from) {
      const sums = new Map<number, IngestMinute>();
      for (const { says } of await processes.read<Refused>(PART)) {
        for (const [at, reason, times] of says.minutes ?? []) {
          if (at < from) continue;
          const outcomes = sums.get(at)?.outcomes ?? {};
          sums.set(at, { at, outcomes: { ...outcomes, [reason]: (outcomes[reason] ?? 0) + times } });
        }
      }
      return [...sums.values()].sort((one, other) => one.at - other.at);
    },
  };
}

/** Adds one refusal, and drops slices older than `keptMs`. */
function withOneMore(all: Times[], reason: RefusalReason, begin: number, keptMs: number): Times[] {
  const known = all.findLast((each) => each[0] === begin && each[1] === reason);
  if (known === undefined) return [...all.filter((each) => each[0] > begin - keptMs), [begin, reason, 1]];
  known[2]++;
  return all;
}

/** Null as well where it is longer than any host: no page sends that. */
function hostOf(address: string | undefined): string | null {
  const host = address !== undefined && URL.canParse(address) ? new URL(address).host : null;
  return host !== null && host.length <= LONGEST_HOST ? host : null;
}
