/** Where the people of the last minutes are, and where they came from. Stands still while someone reads. */
import { useState } from 'react';
import type { LivePresence, PeopleAt } from '#src/events/contract.ts';
import { readable } from '#src/events/values.ts';
import { type BarRow, BarTable, CutText } from '#views/kit/BarTable.tsx';
import { liveWords } from '#views/words/live.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { type LiveQuestion, liveAddress } from './live-address.ts';
import css from './Places.module.css';

export interface PlacesProps {
  path: string;
  question: LiveQuestion;
  summary: LivePresence;
  held: boolean;
}

export function Places({ path, question, summary, held }: PlacesProps) {
  const live = usePart(liveWords);
  const { pages, sources } = useStill(summary, held);
  if (pages.length === 0) return null;
  const filterOf = (value: string): BarRow['filter'] => {
    const isOn = question.filter.page === value;
    const { page: _, ...others } = question.filter;
    const filter = isOn ? others : { ...others, page: value };
    return value === '' ? undefined : { href: liveAddress(path, { ...question, filter }), isOn };
  };
  const sourceOf = (value: string) => (value === '' ? live.unknown : value === '$direct' ? live.direct : value);
  return (
    <div className={css['places']}>
      <Table
        title={live.pagesNow}
        rows={pages}
        textOf={(value) => readable(value) || live.noPage}
        filterOf={filterOf}
      />
      <Table title={live.sourcesNow} rows={sources} textOf={sourceOf} />
    </div>
  );
}

interface TableProps {
  title: string;
  rows: readonly PeopleAt[];
  textOf(value: string): string;
  filterOf?(value: string): BarRow['filter'];
}

function Table({ title, rows, textOf, filterOf }: TableProps) {
  const { format } = useWords();
  const live = usePart(liveWords);
  const most = rows[0]?.people ?? 1;
  return (
    <BarTable
      caption={title}
      columns={[
        { key: 'value', head: title },
        { key: 'people', head: live.peopleShort },
      ]}
      rows={rows.map(({ value, people }) => ({
        key: value,
        label: <CutText text={textOf(value)} />,
        filter: filterOf?.(value),
        cells: [format.number(people)],
        bar: people / most,
        tick: null,
      }))}
    />
  );
}

/** The value as it was when it began to be held. */
function useStill<Value>(value: Value, held: boolean): Value {
  const [kept, setKept] = useState(value);
  if (!held && kept !== value) setKept(value);
  return held ? kept : value;
}
