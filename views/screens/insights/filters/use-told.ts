/** What sentences about persons are written with. */
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '#views/frame/queries.ts';
import { useTrpc } from '#views/trpc.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { PeopleChosen } from './people-address.ts';
import type { Told } from './people-wording.ts';

export function useTold(people: PeopleChosen | null): Told {
  const { format } = useWords();
  const text = usePart(whoWords);
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const enabled = people?.of.some((each) => 'did' in each && 'goal' in each.did) ?? false;
  const { data: goals = [] } = useQuery({ ...trpc.insights.goals.list.queryOptions({ project }), enabled });
  return { text, format, goals };
}
