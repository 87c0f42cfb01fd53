/** The query of retention: what starts a cohort, what is a return, and by which rules. */
import { intervals } from '#src/insights/query/values.ts';
import { retentionWords } from '#views/words/retention.ts';
import { usePart } from '#views/words/words.tsx';
import { BreakdownPart } from '../BreakdownPart.tsx';
import { EventsRow } from '../EventsRow.tsx';
import type { CardsProps } from '../kind-view.ts';
import { NumberLine } from '../NumberLine.tsx';
import { OptionRow, QueryPart } from '../OptionRow.tsx';
import css from '../Query.module.css';

const kinds = ['firstEver', 'firstMatching', 'recurring'] as const;
const MAX_COUNT = 1000;

export function RetentionCards({ project, goals, insight, onChange }: CardsProps<'retention'>) {
  const own = usePart(retentionWords);
  const asked = insight.own;
  const row = { project, goals, question: insight.question };
  return (
    <>
      <QueryPart title={own.start}>
        <ul className={css['rows']}>
          <EventsRow
            {...row}
            sign="A"
            name={own.startRow}
            events={asked.startEvent}
            onChange={(startEvent) => onChange({ ...asked, startEvent })}
          />
        </ul>
      </QueryPart>
      <QueryPart title={own.returning}>
        <ul className={css['rows']}>
          <EventsRow
            {...row}
            sign="B"
            name={own.returningRow}
            events={asked.returningEvent}
            onChange={(returningEvent) => onChange({ ...asked, returningEvent })}
          />
        </ul>
      </QueryPart>
      <QueryPart title={own.rules}>
        <OptionRow
          label={own.period}
          value={asked.period}
          options={intervals.map((value) => ({ value, text: own.periods[value] }))}
          onChange={(period) => onChange({ ...asked, period })}
        />
        <OptionRow
          label={own.kind}
          value={asked.kind}
          options={kinds.map((value) => ({ value, text: own.kinds[value] }))}
          onChange={(kind) => {
            const { breakdown, ...without } = asked;
            onChange(kind === 'recurring' && breakdown ? { ...without, breakdown, kind } : { ...without, kind });
          }}
        />
        <OptionRow
          label={own.rolling}
          value={asked.rolling ? 'onOrAfter' : 'on'}
          options={(['on', 'onOrAfter'] as const).map((value) => ({ value, text: own.rollings[value] }))}
          onChange={(rolling) => onChange({ ...asked, rolling: rolling === 'onOrAfter' })}
        />
        <NumberLine
          label={own.minCount}
          value={asked.minCount}
          min={1}
          max={MAX_COUNT}
          onChange={(minCount) => onChange({ ...asked, minCount })}
        />
      </QueryPart>
      {asked.kind === 'recurring' && <BreakdownPart project={project} own={asked} onChange={onChange} />}
    </>
  );
}
