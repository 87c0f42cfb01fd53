/** The last result of an insight, small: its shape without axes and labels. Readers pass over it. */
import type { ResultSummary } from '#src/insights/query/contract.ts';
import { useWords } from '#views/words/words.tsx';
import css from './Thumbnail.module.css';
import { HEIGHT, pathsOf, WIDTH } from './thumbnail-paths.ts';

/** @param preview null: the insight has not been opened since its query changed */
export function Thumbnail({ preview }: { preview: ResultSummary | null }) {
  return (
    <svg className={css['thumbnail']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <Shape preview={preview} />
    </svg>
  );
}

function Shape({ preview }: { preview: ResultSummary | null }) {
  const { format } = useWords();
  if (preview === null) return <path className={css['none']} d={`M4 ${HEIGHT / 2}H${WIDTH - 4}`} />;
  if (preview.shape === 'number') {
    return (
      <text className={css['number']} x={4} y={32}>
        {preview.number === null ? '–' : format.short(preview.number)}
      </text>
    );
  }
  return pathsOf(preview).map(({ paint, d }) => <path key={paint} className={css[paint]} d={d} />);
}
