/** By which properties trends are broken down, up to three, with intervals of their numbers; and how many values have a row. */
import { useState } from 'react';
import { COHORT } from '#src/columns/values.ts';
import { type BreakdownPart, breakdownParts, MAX_BREAKDOWNS } from '#src/insights/kinds/trends/contract.ts';
import type { BreakdownBy, RangeInput } from '#src/insights/query/contract.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { useValues } from '#views/question/filters/use-suggestions.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ValuesShown } from '../BreakdownPart.tsx';
import type { Own } from '../insight.ts';
import { OptionLine, OptionRow, QueryPart } from '../OptionRow.tsx';
import { PropertyPicker } from '../PropertyPicker.tsx';
import css from '../Query.module.css';
import { BinsRow } from './BinsRow.tsx';
import { isCohortPart, withBreakdowns } from './breakdown-parts.ts';

export interface BreakdownsPartProps {
  project: string;
  range: RangeInput;
  own: Own<'trends'>;
  onChange(own: Own<'trends'>): void;
}

export function BreakdownsPart({ project, range, own: asked, onChange }: BreakdownsPartProps) {
  const shared = usePart(insightWords);
  const own = usePart(trendsWords);
  const { format } = useWords();
  /** The place of the property that is still to be chosen, or of the cohort. */
  const [adding, setAdding] = useState<{ at: number; isCohort: boolean } | null>(null);
  const parts = breakdownParts(asked);
  const count = Math.max(parts.length, adding === null ? 1 : adding.at + 1);
  function set(at: number, part: BreakdownPart | null): void {
    setAdding(null);
    onChange(withBreakdowns(asked, part === null ? parts.toSpliced(at, 1) : parts.toSpliced(at, 1, part)));
  }
  function choose(at: number, chosen: BreakdownBy | null): void {
    const isCohort = chosen?.about === 'person' && chosen.name === COHORT;
    if (isCohort) setAdding({ at, isCohort });
    else set(at, chosen as BreakdownPart | null);
  }
  return (
    <QueryPart title={shared.breakdown}>
      {Array.from({ length: count }, (_, at) => {
        const part = parts[at];
        const label = at === 0 ? shared.breakdownBy : own.thenBy(format.number(at + 1));
        const isCohort = adding?.at === at ? adding.isCohort : part !== undefined && isCohortPart(part);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: properties are their places
          <div key={at}>
            <OptionLine label={label}>
              <PropertyPicker
                project={project}
                label={label}
                chosen={isCohort ? { about: 'person', name: COHORT } : (part ?? null)}
                none={shared.none}
                withCohorts
                onChoose={(chosen) => choose(at, chosen)}
              />
            </OptionLine>
            {isCohort && (
              <CohortRow
                project={project}
                range={range}
                chosen={part !== undefined && isCohortPart(part) ? part.values[0] : null}
                onChoose={(name) => set(at, { about: 'person', name: COHORT, values: [name] })}
              />
            )}
            {!isCohort && part !== undefined && part.about !== 'name' && !isCohortPart(part) && (
              <BinsRow project={project} label={label} part={part} onChange={(next) => set(at, next)} />
            )}
          </div>
        );
      })}
      {parts.length > 0 && parts.length < MAX_BREAKDOWNS && adding === null && (
        <button type="button" className={css['add']} onClick={() => setAdding({ at: parts.length, isCohort: false })}>
          <Icon name="plus" />
          {own.addBreakdown}
        </button>
      )}
      {parts.length > 0 && <ValuesShown limit={asked.limit} onChange={(limit) => onChange({ ...asked, limit })} />}
    </QueryPart>
  );
}

interface CohortRowProps {
  project: string;
  range: RangeInput;
  /** Null: none yet. */
  chosen: string | null;
  onChoose(name: string): void;
}

function CohortRow({ project, range, chosen, onChoose }: CohortRowProps) {
  const own = usePart(trendsWords);
  const { values } = useValues(project, range, { about: 'person', name: COHORT }, '');
  const names = (values?.rows ?? []).map(([name]) => name);
  const all = chosen === null || names.includes(chosen) ? names : [chosen, ...names];
  return (
    <OptionRow
      label={own.cohort}
      value={chosen ?? ''}
      options={[
        ...(chosen === null ? [{ value: '', text: own.chooseCohort }] : []),
        ...all.map((name) => ({ value: name, text: name })),
      ]}
      onChange={(name) => name !== '' && onChoose(name)}
    />
  );
}
