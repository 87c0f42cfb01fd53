/** The event that persons did. Those of the period are offered, the commonest first; any other can be typed. */

import { useRef, useState } from 'react';
import { searchable } from '#src/kit/search/values.ts';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { useAddress } from '#views/frame/queries.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { filterFormWords } from '#views/words/filter-form.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { Combobox } from './Combobox.tsx';

export interface PeopleEventProps {
  question: Question;
  typed: string;
  error: string | undefined;
  onType(typed: string): void;
  onDone(): void;
}

const MAX_EVENTS = 200;

export function PeopleEvent({ question: { range }, typed, error, onType, onDone }: PeopleEventProps) {
  const { format } = useWords();
  const text = usePart(whoWords);
  const formText = usePart(filterFormWords);
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const [isChosen, setIsChosen] = useState(typed !== '');
  const field = useRef<HTMLInputElement>(null);
  const asked = { project, range, compare: 'none', dimension: 'event', limit: MAX_EVENTS } as const;
  const { data } = useKnown(trpc.insights.query.breakdown.queryOptions(asked));
  const part = searchable(typed.trim());
  const found = (data?.rows ?? []).filter(([name]) => searchable(name).includes(part));
  const options = isChosen ? [] : found;
  return (
    <Combobox
      label={text.event}
      placeholder={text.findEvent}
      typed={typed}
      options={options.map(([name, , count]) => ({
        key: name,
        content: <span className="mono">{name}</span>,
        aside: format.number(count),
      }))}
      note={data === undefined ? formText.loading : !isChosen && found.length === 0 ? formText.noValue : null}
      status={formText.found(options.length, format.number(options.length))}
      field={field}
      error={error}
      maxLength={MAX_STORED_NAME_LENGTH}
      onType={(next) => {
        setIsChosen(false);
        onType(next);
      }}
      onChoose={(name) => {
        setIsChosen(true);
        onType(name);
        field.current?.focus();
      }}
      onEnter={onDone}
    />
  );
}
