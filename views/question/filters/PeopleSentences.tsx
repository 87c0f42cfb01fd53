/** Inputs of sentences about people. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '#views/frame/queries.ts';
import { useTrpc } from '#views/trpc.ts';
import { filterWords } from '#views/words/filters.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { PeopleChosen } from './people-address.ts';
import type { PeopleWording } from './people-wording.ts';
import { useReading } from './reading.ts';

interface PeopleSentencesProps {
  children: (wording: PeopleWording) => ReactNode;
}

/** Waits for the names of goals when there are any to name: a name that comes later would not be what the server has drawn. */
export function PeopleSentences({ people, children }: PeopleSentencesProps & { people: PeopleChosen | null }) {
  const namesGoals = people?.of.some((each) => 'did' in each && 'goal' in each.did) ?? false;
  return namesGoals ? <WithGoals>{children}</WithGoals> : <WithoutGoals>{children}</WithoutGoals>;
}

function WithGoals({ children }: PeopleSentencesProps) {
  const words = usePeopleWording();
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project }));
  return children({ ...words, goals });
}

function WithoutGoals({ children }: PeopleSentencesProps) {
  return children({ ...usePeopleWording(), goals: [] });
}

function usePeopleWording(): Omit<PeopleWording, 'goals'> {
  const { format } = useWords();
  return { text: usePart(whoWords), filterText: usePart(filterWords), reading: useReading(), format };
}
