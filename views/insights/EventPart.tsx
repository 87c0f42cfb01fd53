/** The one event of a query. */
import { retentionWords } from '#views/words/retention.ts';
import { usePart } from '#views/words/words.tsx';
import { EventsRow } from './EventsRow.tsx';
import type { CardsProps } from './kind-view.ts';
import { QueryPart } from './OptionRow.tsx';
import css from './Query.module.css';

type EventPartProps = Omit<CardsProps<'lifecycle'>, 'insight'> & {
  insight: Pick<CardsProps<'lifecycle'>['insight'], 'own' | 'question'>;
};

export function EventPart({ project, goals, insight, onChange }: EventPartProps) {
  const own = usePart(retentionWords);
  return (
    <QueryPart title={own.event}>
      <ul className={css['rows']}>
        <EventsRow
          project={project}
          goals={goals}
          question={insight.question}
          sign="A"
          name={own.eventRow}
          events={insight.own.event}
          onChange={(event) => onChange({ ...insight.own, event })}
        />
      </ul>
    </QueryPart>
  );
}
