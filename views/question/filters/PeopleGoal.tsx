/** The goal that persons reached. */

import { useAddress } from '#views/frame/queries.ts';
import { SelectField } from '#views/kit/Field.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart } from '#views/words/words.tsx';

/** Goals of the project; undefined while loading. */
export function useGoals() {
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  return useKnown(trpc.insights.goals.list.queryOptions({ project })).data;
}

export interface PeopleGoalProps {
  goals: ReturnType<typeof useGoals>;
  value: string;
  onChange(goal: string): void;
}

export function PeopleGoal({ goals, value, onChange }: PeopleGoalProps) {
  const text = usePart(whoWords);
  if (goals?.length === 0) return <p className="dim">{text.noGoals}</p>;
  return (
    <SelectField label={text.goal} value={value} onChange={({ target }) => onChange(target.value)}>
      {goals?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
