/** Links to the recording of a visit, or of a person's visits; nothing where there is none. */

import { replaysOf } from '#views/frame/addresses.ts';
import { ButtonLink } from '#views/kit/Button.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { watchWords } from '#views/words/watch.ts';
import { usePart } from '#views/words/words.tsx';

/** An opened moment begins so much earlier, seconds. */
export const LEAD_SECONDS = 10;
/** An error begins so much earlier, seconds. */
export const ERROR_LEAD_SECONDS = 5;

/** @param seconds into the recording; it opens a little before */
export function replayOf(project: string | number, session: string, seconds?: number): string {
  const moment = seconds === undefined ? '' : `?t=${Math.max(0, Math.round(seconds))}`;
  return `/project/${project}/replay/${session}${moment}`;
}

export interface WatchReplayProps {
  project: string;
  /** Uuid of the visit; null: outside of any. */
  session: string | null;
  /** The moment that is shown, ms; absent: the beginning. */
  at?: number;
  /** It begins so much earlier, seconds. */
  lead?: number;
  /** All visits that are asked about together: the page asks once. */
  among?: readonly string[];
}

export function WatchReplay({ project, session, at, lead = LEAD_SECONDS, among }: WatchReplayProps) {
  const own = usePart(watchWords);
  const trpc = useTrpc();
  const sessions = [...(among ?? (session === null ? [] : [session]))];
  const { data } = useKnown({
    ...trpc.replays.recorded.queryOptions({ project, sessions }),
    enabled: session !== null && sessions.length > 0,
  });
  const recorded = data?.find((each) => each.session === session);
  if (recorded === undefined || session === null) return null;
  const seconds = at === undefined ? undefined : (at - recorded.firstAt) / 1000 + LEAD_SECONDS - lead;
  return (
    <ButtonLink kind="quiet" small icon="play" href={replayOf(project, session, seconds)}>
      {own.watch}
    </ButtonLink>
  );
}

/** @param among as of `WatchReplay` */
export function WatchPerson(props: { project: string; person: string; among: readonly string[] }) {
  const { project, person, among } = props;
  const own = usePart(watchWords);
  const trpc = useTrpc();
  const asked = trpc.replays.recordedPeople.queryOptions({ project, persons: [...among] });
  const { data } = useKnown({ ...asked, enabled: among.length > 0 });
  if (!data?.includes(person)) return null;
  const params = new URLSearchParams({ person, range: 'all_time' });
  return (
    <ButtonLink kind="quiet" small icon="play" iconOnly href={`${replaysOf(project)}?${params}`}>
      {own.watchPerson}
    </ButtonLink>
  );
}
