/** What the figures of the Overview are made of: a table for each dimension. */
import { BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { Region } from '#views/kit/Region.tsx';
import { useWords } from '#views/words/words.tsx';
import { BreakdownTable } from './BreakdownTable.tsx';
import css from './Cards.module.css';
import { breakdownInput, FEW_ROWS } from './inputs.ts';
import { addressOf } from './question.ts';
import type { RegionOf } from './use-region.ts';

export interface CardsProps {
  reference: string;
  path: string;
  region: RegionOf;
}

export function Cards({ reference, path, region }: CardsProps) {
  const { words } = useWords();
  return (
    <div className={css['tables']}>
      {(['page', 'referringDomain'] as const).map((dimension) => (
        <section key={dimension} aria-labelledby={`table-${dimension}`}>
          <h2 id={`table-${dimension}`} className={css['title']}>
            {words.tables[dimension]}
          </h2>
          <Region {...region} skeleton={<BarTableSkeleton rows={FEW_ROWS} />}>
            {(shown) => (
              <BreakdownTable
                input={breakdownInput(reference, shown, dimension, FEW_ROWS)}
                detailsHref={addressOf(path, { ...shown, details: dimension })}
              />
            )}
          </Region>
        </section>
      ))}
    </div>
  );
}
