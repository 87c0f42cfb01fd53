/** Conditions on the events of one row, in a form of their own. */
import { type FormEvent, useRef, useState } from 'react';
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import type { EventConditions } from '#views/question/filters/people-address.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { WhereFields, type WhereRead } from '#views/question/filters/WhereFields.tsx';
import { sentenceOf } from '#views/question/filters/wording.ts';
import type { Question } from '#views/question/question.ts';
import { filterWords } from '#views/words/filters.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Query.module.css';

export interface EventFiltersProps {
  question: Question;
  /** Accessible name of the row. */
  row: string;
  filters: Filters | undefined;
  onChange(filters: Filters | undefined): void;
}

export function EventFilters({ question, row, filters, onChange }: EventFiltersProps) {
  const own = usePart(insightWords);
  const [turn, setTurn] = useState(0);
  const isEmpty = filters === undefined || filters.of.length === 0;
  return (
    <Popover
      label={own.event.where(row)}
      triggerClass={css['where']}
      className={css['chooser']}
      trigger={
        <>
          <span className="visually-hidden">{own.event.where(row)}: </span>
          {isEmpty ? (
            <>
              <Icon name="filter" small />
              {own.event.addWhere}
            </>
          ) : (
            <Sentences filters={filters} />
          )}
        </>
      }
      onOpen={() => setTurn((last) => last + 1)}
    >
      {turn > 0 && (
        <Late>
          <Form key={turn} question={question} filters={filters} onChange={onChange} />
        </Late>
      )}
    </Popover>
  );
}

function Sentences({ filters }: { filters: Filters }) {
  const text = usePart(filterWords);
  const reading = useReading();
  const said = filters.of.map((item) =>
    'of' in item
      ? `(${item.of.map((each) => sentenceOf(each, text, reading)).join(` ${text[item.match]} `)})`
      : sentenceOf(item, text, reading),
  );
  return <span suppressHydrationWarning>{said.join(` ${text[filters.match]} `)}</span>;
}

type FormProps = Pick<EventFiltersProps, 'question' | 'filters' | 'onChange'>;

function Form({ question, filters, onChange }: FormProps) {
  const own = usePart(insightWords);
  const where = useRef<WhereRead>(null);
  const form = useRef<HTMLFormElement>(null);
  const flat = flatOf(filters);
  const isNested = filters !== undefined && filters.of.length > 0 && flat === null;

  async function finish(): Promise<void> {
    const read = await where.current?.read();
    if (read === 'wrong') return;
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover();
    onChange(read ?? undefined);
  }

  return (
    <form
      ref={form}
      noValidate
      className={css['form']}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void finish();
      }}
    >
      <p className={css['formTitle']}>{own.event.whereTitle}</p>
      {isNested && <p className="dim">{own.event.nested}</p>}
      <WhereFields reader={where} question={question} filters={flat} ofEvents={false} onDone={() => void finish()} />
      <Button type="submit" kind="primary" small>
        {own.event.apply}
      </Button>
    </form>
  );
}

/** Conditions of one list; null: there are none, or lists within the list, which the form cannot show. */
function flatOf(filters: Filters | undefined): EventConditions | null {
  if (filters === undefined || filters.of.length === 0) return null;
  const of = filters.of.filter((item): item is FilterCondition => !('of' in item));
  return of.length === filters.of.length ? { match: filters.match, of } : null;
}
