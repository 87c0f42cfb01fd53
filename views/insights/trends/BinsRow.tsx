/** Intervals of the numbers of a property: none, of the same width, with as many events, or with given edges. */
import { useState } from 'react';
import { type Bins, MAX_BINS } from '#src/insights/kinds/trends/contract.ts';
import { useProperties } from '#views/question/filters/use-suggestions.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart } from '#views/words/words.tsx';
import { NumberLine } from '../NumberLine.tsx';
import { OptionLine, OptionRow } from '../OptionRow.tsx';
import css from '../Query.module.css';
import { binsKey, type PropertyPart, readEdges } from './breakdown-parts.ts';

export interface BinsRowProps {
  project: string;
  label: string;
  part: PropertyPart;
  onChange(part: PropertyPart): void;
}

const FIRST_COUNT = 5;
const FIRST_EDGES = [10, 100, 1000];

export function BinsRow({ project, label, part, onChange }: BinsRowProps) {
  const own = usePart(trendsWords);
  const known = useProperties(project);
  const { bins, ...property } = part;
  const isNumber =
    part.about === 'session'
      ? part.name === 'seconds' || part.name === 'views'
      : known?.some(({ about, name, type }) => about === part.about && name === part.name && type === 'number');
  if (bins === undefined && !isNumber) return null;
  const key = binsKey(bins);
  const keys =
    part.about !== 'event' ? (['none', 'edges'] as const) : (['none', 'width', 'quantile', 'edges'] as const);
  const count = bins !== undefined && 'count' in bins ? bins.count : FIRST_COUNT;
  function choose(next: typeof key): void {
    if (next === 'none') onChange(property);
    else onChange({ ...property, bins: next === 'edges' ? { edges: FIRST_EDGES } : { count, by: next } });
  }
  return (
    <>
      <OptionRow
        label={own.bins}
        value={key}
        options={keys.map((each) => ({ value: each, text: own.binsBy[each] }))}
        onChange={choose}
      />
      {bins !== undefined && 'count' in bins && (
        <NumberLine
          label={own.binCount}
          value={bins.count}
          min={2}
          max={MAX_BINS}
          onChange={(next) => onChange({ ...property, bins: { ...bins, count: next } })}
        />
      )}
      {bins !== undefined && 'edges' in bins && (
        <Edges label={label} bins={bins} onChange={(next) => onChange({ ...property, bins: next })} />
      )}
    </>
  );
}

type EdgeBins = Extract<Bins, { edges: unknown }>;

function Edges({ label, bins, onChange }: { label: string; bins: EdgeBins; onChange(bins: EdgeBins): void }) {
  const own = usePart(trendsWords);
  /** Null: the edges stand there as they are asked. */
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && readEdges(typed) === null;
  return (
    <>
      <OptionLine label={own.edges}>
        <input
          className={css['edges']}
          aria-label={own.edgesOf(label)}
          aria-invalid={isWrong || undefined}
          autoComplete="off"
          value={typed ?? bins.edges.join(' ')}
          onChange={({ target }) => {
            setTyped(target.value);
            const edges = readEdges(target.value);
            if (edges !== null) onChange({ edges });
          }}
          onBlur={() => setTyped(null)}
        />
      </OptionLine>
      {isWrong && (
        <p role="status" className={css['where']}>
          {own.wrongEdges}
        </p>
      )}
    </>
  );
}
