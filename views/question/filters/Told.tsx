/** What sentences about persons are written with. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '#views/frame/queries.ts';
import { useTrpc } from '#views/trpc.ts';
import { filterWords } from '#views/words/filters.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { PeopleChosen } from './people-address.ts';
import type { Told } from './people-wording.ts';
import { useReading } from './reading.ts';

interface TellingProps {
  children: (told: Told) => ReactNode;
}

/** Waits for the names of goals when there are any to name: a name that comes later would not be what the server has drawn. */
export function Telling({ people, children }: TellingProps & { people: PeopleChosen | null }) {
  const namesGoals = people?.of.some((each) => 'did' in each && 'goal' in each.did) ?? false;
  return namesGoals ? <WithGoals>{children}</WithGoals> : <WithoutGoals>{children}</WithoutGoals>;
}

function WithGoals({ children }: TellingProps) {
  const words = useTelling();
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project }));
  return children({ ...words, goals });
}

function WithoutGoals({ children }: TellingProps) {
  return children({ ...useTelling(), goals: [] });
}

function useTelling(): Omit<Told, 'goals'> {
  const { format } = useWords();
  return { text: usePart(whoWords), filterText: usePart(filterWords), reading: useReading(), format };
}
