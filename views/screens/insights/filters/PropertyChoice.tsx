/** The property that a filter is about: those of visits first, then what the project sends, the commonest first. */
import { useRef, useState } from 'react';
import type { FilterProperties } from '#src/insights/suggestions/contract.ts';
import { filterWords } from '#views/words/filters.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { sessionFieldNames } from './address.ts';
import { Combobox, type Option } from './Combobox.tsx';
import css from './FilterEditor.module.css';
import { type Named, wordOf } from './wording.ts';

export interface PropertyChoiceProps {
  /** Null: not known yet. */
  properties: FilterProperties | null;
  named: Named | null;
  isOpen: boolean;
  error: string | undefined;
  onOpen(): void;
  onChoose(named: Named, type: string | null): void;
}

const MOST_SHOWN = 200;

export function PropertyChoice({ properties, named, isOpen, error, onOpen, onChoose }: PropertyChoiceProps) {
  const { format } = useWords();
  const text = usePart(filterWords);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  if (named !== null && !isOpen) {
    const word = wordOf(named, text);
    return (
      <button type="button" className={`input ${css['chosen']}`} onClick={onOpen}>
        <span className="visually-hidden">{text.property}: </span>
        {word ?? <span className="mono clip">{named.name}</span>}
        {named.about === 'person' && <span className="dim">{text.ofPerson}</span>}
      </button>
    );
  }
  const known = knownProperties(properties ?? []);
  const part = typed.trim().toLowerCase();
  const found = known
    .filter((each) => [wordOf(each, text) ?? '', each.name].some((name) => name.toLowerCase().includes(part)))
    .slice(0, MOST_SHOWN);
  const options = found.map((each): Option => {
    const word = wordOf(each, text);
    return {
      key: keyOf(each),
      group: each.about === 'person' ? text.groups.person : word === null ? text.groups.event : text.groups.visit,
      content: word ?? <span className="mono">{each.name}</span>,
      isChosen: named !== null && keyOf(named) === keyOf(each),
    };
  });
  return (
    <Combobox
      label={text.property}
      placeholder={text.find}
      typed={typed}
      options={options}
      note={properties === null ? text.loading : found.length === 0 ? text.noProperty : null}
      status={text.found(found.length, format.number(found.length))}
      field={field}
      error={error}
      onType={setTyped}
      onChoose={(key) => {
        const chosen = known.find((each) => keyOf(each) === key);
        setTyped('');
        if (chosen) onChoose({ about: chosen.about, name: chosen.name }, chosen.type);
      }}
    />
  );
}

type Known = Named & { type: string | null };

/** Those with words before those that are data. */
function knownProperties(properties: FilterProperties): Known[] {
  const fields = sessionFieldNames.map((name): Known => ({ about: 'session', name, type: null }));
  const words: Known[] = ['$pathname', '$host'].map((name) => ({ about: 'event', name, type: 'string' }));
  const others = properties.filter(({ about, name }) => about !== 'event' || words.every((each) => each.name !== name));
  return [...words, ...fields, ...others];
}

function keyOf({ about, name }: Named): string {
  return `${about} ${name}`;
}
