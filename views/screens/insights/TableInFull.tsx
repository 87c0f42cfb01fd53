/** Shared parts of full tables: search, file, sorting and pagination. The state is in the URL. */

import { type ReactNode, useEffect, useState } from 'react';
import { MAX_FIND_LENGTH } from '#src/insights/kinds/breakdown/values.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import type { BarColumn } from '#views/kit/BarTable.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { ALL_ROWS } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { type TableWords, tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './TableInFull.module.css';

export interface TableToolsProps {
  typed: string;
  onType(text: string): void;
  /** How many rows there are. */
  count: ReactNode;
  fileHref: string;
  /** Further choices. */
  children?: ReactNode;
}

export function TableTools({ typed, onType, count, fileHref, children }: TableToolsProps) {
  const own = usePart(tableWords);
  const fileName = useTableFileName();
  return (
    <div className={css['tools']}>
      <label className={`${css['find']} input script-only`}>
        <Icon name="search" />
        <input
          type="search"
          aria-label={own.find}
          placeholder={own.find}
          value={typed}
          maxLength={MAX_FIND_LENGTH}
          onChange={(event) => onType(event.target.value)}
        />
      </label>
      {children}
      <p role="status" className={`${css['count']} dim`}>
        {count}
      </p>
      <a href={fileHref} download className={`${css['file']} no-print`} title={own.download(fileName)}>
        <Icon name="intake" />
        {fileName}
      </a>
    </div>
  );
}

export function RowCount({ n }: { n: number }) {
  const { format } = useWords();
  return usePart(tableWords).rows(n, format.number(n));
}

/** A column that its head sorts by; a second click turns it round. */
export function sortable(
  key: Question['sort'],
  head: string,
  question: Question,
  path: string,
  own: TableWords,
  /** Name together with the heading of its group. */
  label = head,
): BarColumn {
  const { sort, reversed } = question;
  return {
    key,
    head: (
      <Link
        href={addressOf(path, { ...question, sort: key, reversed: sort === key && !reversed })}
        className={reversed ? css['reversed'] : undefined}
        replace
        ahead={false}
        aria-label={own.sortBy(label)}
        title={label}
      >
        {label === head ? (
          <span className="clip">{head}</span>
        ) : (
          <>
            <span className="clip wide-only">{head}</span>
            <span className={`clip ${css['narrow']}`}>{label}</span>
          </>
        )}
        {sort === key && <Icon name="down" small />}
      </Link>
    ),
    sort: sort !== key ? undefined : (key === 'value') === reversed ? 'descending' : 'ascending',
  };
}

interface ColumnGroupsProps {
  /** How many columns each heading is of; one without text is of columns that are in no group. */
  of: readonly (readonly [heading: string, columns: number])[];
}

/** Headings of groups of columns; on a phone, columns say by themselves what they are. */
export function ColumnGroups({ of }: ColumnGroupsProps) {
  return (
    <tr className={`${css['groups']} wide-only`}>
      {of.map(([heading, columns]) =>
        heading === '' ? (
          <td key={heading} colSpan={columns} />
        ) : (
          <th key={heading} scope="colgroup" colSpan={columns}>
            {heading}
          </th>
        ),
      )}
    </tr>
  );
}

interface TablePagesProps {
  question: Question;
  path: string;
  /** Rows. */
  found: number;
}

/** The pages of a long table. */
export function TablePages({ question, path, found }: TablePagesProps) {
  const { format } = useWords();
  const own = usePart(tableWords);
  const { page } = question;
  const from = (page - 1) * ALL_ROWS;
  const last = Math.max(1, Math.ceil(found / ALL_ROWS));
  if (last === 1 && page === 1) return null;
  const step = (to: number, rel: 'prev' | 'next', label: string) => (
    <ButtonLink small href={addressOf(path, question, to)} rel={rel}>
      {label}
    </ButtonLink>
  );
  return (
    <nav aria-label={own.pages} className={css['pages']}>
      {page > 1 && step(Math.min(page - 1, last), 'prev', own.previous)}
      {page <= last && (
        <span className="num dim">
          {own.span(format.number(from + 1), format.number(Math.min(from + ALL_ROWS, found)), format.number(found))}
        </span>
      )}
      {page < last && step(page + 1, 'next', own.next)}
    </nav>
  );
}

const FIND_AFTER_MS = 300;

/** Search text: filters at once, debounced in the URL. */
export function useFind(question: Question, path: string): [typed: string, type: (text: string) => void] {
  const { navigate } = useNavigate();
  const [typed, setTyped] = useState(question.find);
  const [written, setWritten] = useState(question.find);
  const [seen, setSeen] = useState(question.find);
  if (question.find !== seen) {
    setSeen(question.find);
    // By Back, not by typing.
    if (question.find !== written) {
      setTyped(question.find);
      setWritten(question.find);
    }
  }
  useEffect(() => {
    if (typed === written) return;
    const timer = setTimeout(() => {
      setWritten(typed);
      navigate(addressOf(path, { ...question, find: typed }), { replace: true });
    }, FIND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, written, question, path, navigate]);
  return [typed, setTyped];
}
