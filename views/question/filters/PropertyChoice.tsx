/** The property that a filter is about: those of visits first, then what the project sends, the commonest first. */

import { useRef, useState } from 'react';
import { isGroupSubject, sessionFields } from '#src/columns/values.ts';
import type { FilterProperties } from '#src/insights/suggestions/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { groupTypeName } from '#views/frame/group-names.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import { type WhoKind, whoWords } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Combobox, type Option } from './Combobox.tsx';
import css from './FilterEditor.module.css';
import { type PropertyRef, wordOf } from './wording.ts';

export interface PropertyChoiceProps {
  /** Null: not known yet. */
  properties: FilterProperties | null;
  named: PropertyRef | null;
  /** Only what events of themselves say. */
  ofEvents: boolean;
  isOpen: boolean;
  error: string | undefined;
  onOpen(): void;
  onChoose(named: PropertyRef, type: string | null): void;
  /** Sets of persons are offered too. */
  onPeople: ((kind: WhoKind) => void) | undefined;
}

const MAX_SHOWN = 200;
const whoKinds = ['did', 'reached', 'first'] as const;

export function PropertyChoice(props: PropertyChoiceProps) {
  const { properties, named, ofEvents, isOpen, error, onOpen, onChoose, onPeople } = props;
  const { format } = useWords();
  const text = usePart(filterFormWords);
  const filterText = usePart(filterWords);
  const who = usePart(whoWords);
  const groupTypes = useGroupTypes();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  if (named !== null && !isOpen) {
    const word = wordOf(named, filterText, groupTypes);
    return (
      <button type="button" className={`input ${css['chosen']}`} onClick={onOpen}>
        <span className="visually-hidden">{text.property}: </span>
        {word ?? <span className="mono clip">{named.name}</span>}
        {named.about === 'person' && <span className="dim">{text.ofPerson}</span>}
      </button>
    );
  }
  const known = knownProperties(properties ?? []).filter(({ about }) => !ofEvents || about === 'event');
  const part = searchable(typed.trim());
  const found = known
    .filter((each) =>
      [wordOf(each, filterText, groupTypes) ?? '', each.name].some((name) => searchable(name).includes(part)),
    )
    .slice(0, MAX_SHOWN);
  const options = found.map((each): Option => {
    const word = wordOf(each, filterText, groupTypes);
    return {
      key: keyOf(each),
      group: isGroupSubject(each.about)
        ? groupTypeName(groupTypes, each.about).plural
        : each.about === 'person'
          ? text.groups.person
          : word === null || ofEvents
            ? text.groups.event
            : text.groups.visit,
      content: word ?? <span className="mono">{each.name}</span>,
      isChosen: named !== null && keyOf(named) === keyOf(each),
    };
  });
  if (onPeople !== undefined) {
    const fitting = whoKinds.filter((kind) => searchable(`${who.people} ${who.offered[kind]}`).includes(part));
    const sets = fitting.map((kind) => ({ key: `who ${kind}`, group: who.group, content: who.offered[kind] }));
    // After the fields of visits, which are asked for most.
    options.splice(options.filter(({ group }) => group === text.groups.visit).length, 0, ...sets);
  }
  return (
    <Combobox
      label={text.property}
      placeholder={onPeople === undefined ? text.findProperty : text.find}
      typed={typed}
      options={options}
      note={properties === null ? text.loading : options.length === 0 ? text.noProperty : null}
      status={text.found(options.length, format.number(options.length))}
      field={field}
      error={error}
      onType={setTyped}
      onChoose={(key) => {
        const kind = whoKinds.find((each) => key === `who ${each}`);
        if (kind !== undefined) return onPeople?.(kind);
        const chosen = known.find((each) => keyOf(each) === key);
        setTyped('');
        if (chosen) onChoose({ about: chosen.about, name: chosen.name }, chosen.type);
      }}
    />
  );
}

type Known = PropertyRef & { type: string | null };

/** Properties with a label first, then others. */
function knownProperties(properties: FilterProperties): Known[] {
  const fields = sessionFields.map((name): Known => ({ about: 'session', name, type: null }));
  const words: Known[] = ['$pathname', '$host'].map((name) => ({ about: 'event', name, type: 'string' }));
  const others = properties.filter(({ about, name }) => about !== 'event' || words.every((each) => each.name !== name));
  return [...words, ...fields, ...others];
}

function keyOf({ about, name }: PropertyRef): string {
  return `${about} ${name}`;
}
