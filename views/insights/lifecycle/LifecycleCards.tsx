/** The query of lifecycle: what makes active, and who is counted. */
import { useGroupTypes } from '#views/frame/group-types.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart } from '#views/words/words.tsx';
import { CountedPeopleRow, withPer } from '../CountedRow.tsx';
import { EventPart } from '../EventPart.tsx';
import type { CardsProps } from '../kind-view.ts';
import { QueryPart } from '../OptionRow.tsx';

export function LifecycleCards({ project, goals, insight, onChange }: CardsProps<'lifecycle'>) {
  const own = usePart(retentionWords);
  const asked = insight.own;
  const hasGroups = useGroupTypes().length > 0 || asked.per !== undefined;
  return (
    <>
      <EventPart
        project={project}
        goals={goals}
        insight={insight}
        onChange={({ event }) => onChange({ ...asked, event })}
      />
      {hasGroups && (
        <QueryPart title={own.rules}>
          <CountedPeopleRow per={asked.per} onChange={(per) => onChange(withPer(asked, per))} />
        </QueryPart>
      )}
    </>
  );
}
