/** Link from an exception to the issue that it belongs to; nothing for other events, and until it is grouped. */

import type { EventDetail } from '#src/events/contract.ts';
import { issueOf } from '#views/frame/addresses.ts';
import { ButtonLink } from '#views/kit/Button.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { liveWords } from '#views/words/live.ts';
import { usePart } from '#views/words/words.tsx';

interface Stored extends Pick<EventDetail, 'ts' | 'event'> {
  uuid: string;
}

export function IssueLink({ project, of: { ts, uuid, event } }: { project: string; of: Stored }) {
  const live = usePart(liveWords);
  const trpc = useTrpc();
  const asked = trpc.errors.issueOf.queryOptions({ project, ts, uuid });
  const { data } = useKnown({ ...asked, enabled: event === '$exception' });
  if (data === undefined || data === null) return null;
  return (
    <ButtonLink kind="quiet" small icon="error" href={issueOf(project, data)}>
      {live.toIssue}
    </ButtonLink>
  );
}
