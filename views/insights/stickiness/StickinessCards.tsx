/** The query of stickiness: what makes a person active, and how it is counted. */
import { retentionWords } from '#views/words/retention.ts';
import { usePart } from '#views/words/words.tsx';
import { CountedPeopleRow, withPer } from '../CountedRow.tsx';
import { EventPart } from '../EventPart.tsx';
import type { CardsProps } from '../kind-view.ts';
import { NumberLine } from '../NumberLine.tsx';
import { OptionRow, QueryPart } from '../OptionRow.tsx';

const MAX_COUNT = 1000;

export function StickinessCards({ project, goals, insight, onChange }: CardsProps<'stickiness'>) {
  const own = usePart(retentionWords);
  const asked = insight.own;
  return (
    <>
      <EventPart
        project={project}
        goals={goals}
        insight={insight}
        onChange={({ event }) => onChange({ ...asked, event })}
      />
      <QueryPart title={own.rules}>
        <CountedPeopleRow per={asked.per} onChange={(per) => onChange(withPer(asked, per))} />
        <NumberLine
          label={own.activeMin}
          value={asked.minCount}
          min={1}
          max={MAX_COUNT}
          onChange={(minCount) => onChange({ ...asked, minCount })}
        />
        <OptionRow
          label={own.count}
          value={asked.cumulative ? 'atLeast' : 'exact'}
          options={(['exact', 'atLeast'] as const).map((value) => ({ value, text: own.counts[value] }))}
          onChange={(count) => onChange({ ...asked, cumulative: count === 'atLeast' })}
        />
      </QueryPart>
    </>
  );
}
