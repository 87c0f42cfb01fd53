/** Why a member cannot be changed, removed or leave: the team would have no owner. */
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { failureOf } from '#views/trpc.ts';
import { teamWords } from '#views/words/teams.ts';
import { usePart } from '#views/words/words.tsx';

export function Refusal({ error }: { error: unknown }) {
  const text = usePart(teamWords);
  return failureOf(error).code === 'conflict' ? text.lastOwner : <ErrorMessage error={error} />;
}
