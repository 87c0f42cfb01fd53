/** How many people would get each value. */
import type { FlagPreview as Preview } from '#src/flags/contract.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Flags.module.css';

export interface FlagPreviewProps {
  preview: { data: Preview | undefined; isError: boolean };
  isOfGroups: boolean;
}

export function FlagPreview({ preview: { data, isError }, isOfGroups }: FlagPreviewProps) {
  const own = usePart(flagWords);
  return (
    <section className={css['part']} aria-label={own.preview}>
      <h3>{own.preview}</h3>
      <div aria-live="polite">
        {isOfGroups && <p className="dim">{own.previewGroups}</p>}
        {!isOfGroups && (data === undefined || isError) && <p className="dim">{own.previewWrong}</p>}
        {!isOfGroups && !isError && data && <Counted data={data} />}
      </div>
    </section>
  );
}

function Counted({ data: { people, sampled, values } }: { data: Preview }) {
  const own = usePart(flagWords);
  const { format } = useWords();
  if (people === 0) return <p className="dim">{own.previewNobody}</p>;
  return (
    <>
      <p className="dim">
        {own.previewText(format.number(people))} {sampled < people && own.previewSampled(format.number(sampled))}
      </p>
      <ul className={css['bars']}>
        {values.map(({ value, people: count }) => (
          <li key={String(value)}>
            <span className={typeof value === 'string' ? 'mono' : undefined}>{valueText(value, own)}</span>
            <span className="num">
              {format.number(count)} · {format.percent(count / people)}
            </span>
            <svg
              className={value === false ? css['rest'] : css['fill']}
              viewBox="0 0 100 1"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect width={(100 * count) / people} height={1} />
            </svg>
          </li>
        ))}
      </ul>
    </>
  );
}

export function valueText(value: boolean | string, own: (typeof flagWords)['en']): string {
  if (typeof value === 'string') return value;
  return value ? own.valueOn : own.valueOff;
}
