/** By which property an answer is broken down, and how many of its values have a row. */
import type { ReactNode } from 'react';
import type { BreakdownBy } from '#src/insights/query/contract.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { OptionLine, OptionRow, QueryPart } from './OptionRow.tsx';
import { PropertyPicker } from './PropertyPicker.tsx';

interface Broken {
  breakdown?: BreakdownBy | undefined;
  limit: number;
}

const LIMITS = [5, 10, 25, 50, 100];

export interface BreakdownPartProps<Own extends Broken> {
  project: string;
  own: Own;
  onChange(own: Own): void;
  /** Further choices of a breakdown. */
  children?: ReactNode;
}

export function BreakdownPart<Own extends Broken>(props: BreakdownPartProps<Own>) {
  const { project, own: asked, onChange, children } = props;
  const own = usePart(insightWords);
  const { breakdown, limit } = asked;
  return (
    <QueryPart title={own.breakdown}>
      <OptionLine label={own.breakdownBy}>
        <PropertyPicker
          project={project}
          label={own.breakdownBy}
          chosen={breakdown ?? null}
          none={own.none}
          onChoose={(chosen) => {
            const { breakdown: _, ...without } = asked;
            onChange((chosen === null ? without : { ...without, breakdown: chosen }) as Own);
          }}
        />
      </OptionLine>
      {breakdown !== undefined && (
        <ValuesShown limit={limit} onChange={(next) => onChange({ ...asked, limit: next })} />
      )}
      {breakdown !== undefined && children}
    </QueryPart>
  );
}

/** How many values have a row of their own. */
export function ValuesShown({ limit, onChange }: { limit: number; onChange(limit: number): void }) {
  const own = usePart(insightWords);
  const { format } = useWords();
  const limits = [...new Set([...LIMITS, limit])].sort((a, b) => a - b);
  return (
    <OptionRow
      label={own.top}
      value={String(limit)}
      options={limits.map((each) => ({ value: String(each), text: own.topOf(format.number(each)) }))}
      onChange={(next) => onChange(Number(next))}
    />
  );
}
