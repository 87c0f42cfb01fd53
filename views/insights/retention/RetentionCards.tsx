/** The query of retention: what starts a cohort, what is a return, and by which rules. */
import { useState } from 'react';
import { intervals } from '#src/insights/query/values.ts';
import { TextField } from '#views/kit/Field.tsx';
import { retentionWords } from '#views/words/retention.ts';
import { usePart } from '#views/words/words.tsx';
import { BreakdownPart } from '../BreakdownPart.tsx';
import { CountedPeopleRow, withPer } from '../CountedRow.tsx';
import { EventsRow } from '../EventsRow.tsx';
import type { CardsProps } from '../kind-view.ts';
import { NumberLine } from '../NumberLine.tsx';
import { OptionRow, QueryPart } from '../OptionRow.tsx';
import css from '../Query.module.css';
import { bracketsText, readBrackets } from './brackets.ts';

const kinds = ['firstEver', 'firstMatching', 'recurring'] as const;
const MAX_COUNT = 1000;
/** 0, 1-3, 4-7, 8-14. */
const FIRST_BRACKETS = [0, 3, 7, 14] as const;

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
        <CountedPeopleRow per={asked.per} onChange={(per) => onChange(withPer(asked, per))} />
        <OptionRow
          label={own.kind}
          value={asked.kind}
          options={kinds.map((value) => ({ value, text: own.kinds[value] }))}
          onChange={(kind) => onChange({ ...asked, kind })}
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
        <OptionRow
          label={own.columns}
          value={asked.brackets === undefined ? 'each' : 'brackets'}
          options={(['each', 'brackets'] as const).map((value) => ({ value, text: own.columnKinds[value] }))}
          onChange={(value) => {
            const { brackets: _, ...without } = asked;
            onChange(value === 'each' ? without : { ...without, brackets: [...FIRST_BRACKETS] });
          }}
        />
        {asked.brackets !== undefined && (
          <BracketsField brackets={asked.brackets} onChange={(brackets) => onChange({ ...asked, brackets })} />
        )}
      </QueryPart>
      <BreakdownPart project={project} own={asked} onChange={onChange} />
    </>
  );
}

interface BracketsFieldProps {
  brackets: readonly number[];
  onChange(brackets: number[]): void;
}

/** Taken when the field is left or Enter is pressed; what are no brackets is not asked, and the field says so. */
function BracketsField({ brackets, onChange }: BracketsFieldProps) {
  const own = usePart(retentionWords);
  const asked = bracketsText(brackets);
  const [typed, setTyped] = useState({ asked, text: asked });
  // Brackets that come from elsewhere (Back, a link) take the place of what was typed.
  if (typed.asked !== asked) setTyped({ asked, text: asked });
  const read = readBrackets(typed.text);
  const finish = (): void => {
    if (read !== null && bracketsText(read) !== asked) onChange(read);
  };
  return (
    <TextField
      label={own.brackets}
      hint={own.bracketsHint}
      error={read === null ? own.bracketsWrong : undefined}
      className="num"
      maxLength={200}
      value={typed.text}
      onChange={({ target }) => setTyped({ asked, text: target.value })}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  );
}
