/** The part of a list that is shown, and links to the pages around it. Nothing for lists of one page. */
import { pagerWords } from '#views/words/pager.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ButtonLink } from './Button.tsx';
import css from './Pager.module.css';

export interface PagerProps {
  /** From 0. */
  page: number;
  perPage: number;
  /** Rows of this page. */
  shown: number;
  /** Rows of all pages. */
  total: number;
  hrefOf(page: number): string;
}

export function Pager({ page, perPage, shown, total, hrefOf }: PagerProps) {
  const own = usePart(pagerWords);
  const { format } = useWords();
  if (total <= perPage) return null;
  const first = page * perPage + 1;
  const last = first + shown - 1;
  return (
    <div className={css['pages']}>
      <span className="dim">{own.shown(format.number(first), format.number(last), format.number(total))}</span>
      {page > 0 && (
        <ButtonLink small href={hrefOf(page - 1)} rel="prev">
          {own.previous}
        </ButtonLink>
      )}
      {last < total && (
        <ButtonLink small href={hrefOf(page + 1)} rel="next">
          {own.next}
        </ButtonLink>
      )}
    </div>
  );
}
