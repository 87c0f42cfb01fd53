/** A property of events or persons, by name; or the events' name itself. */
import { useEffect, useRef, useState } from 'react';
import { COHORT, filterSubjects, isGroupSubject, sessionFields } from '#src/columns/values.ts';
import type { BreakdownBy } from '#src/insights/query/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { groupTypeName } from '#views/frame/group-names.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { Combobox, type Option } from '#views/question/filters/Combobox.tsx';
import { useProperties } from '#views/question/filters/use-suggestions.ts';
import { wordOf } from '#views/question/filters/wording.ts';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Query.module.css';

export interface PropertyPickerProps {
  project: string;
  label: string;
  chosen: BreakdownBy | null;
  /** Only properties of events, and only those with numbers first. */
  onlyEvents?: boolean;
  /** Cohorts are offered too: which of them is chosen beside it. */
  withCohorts?: boolean;
  /** Label of the empty option; absent: a choice is required. */
  none?: string;
  onChoose(chosen: BreakdownBy | null): void;
}

/** More are found by what is typed. */
const MAX_SHOWN = 200;

export function PropertyPicker({ label, chosen, ...list }: PropertyPickerProps) {
  const own = usePart(insightWords);
  const [turn, setTurn] = useState(0);
  return (
    <Popover
      label={label}
      align="end"
      triggerClass={css['value']}
      className={css['chooser']}
      trigger={
        <>
          <span className="visually-hidden">{label}: </span>
          {chosen === null ? <span className="clip">{list.none ?? own.property.choose}</span> : <Named by={chosen} />}
          <Icon name="down" small />
        </>
      }
      onOpen={() => setTurn((last) => last + 1)}
    >
      {turn > 0 && <PropertyList key={turn} label={label} chosen={chosen} {...list} />}
    </Popover>
  );
}

/** Name of a breakdown. */
export function Named({ by }: { by: BreakdownBy }) {
  const own = usePart(insightWords);
  const text = usePart(filterWords);
  const groupTypes = useGroupTypes();
  if (by.about === 'name') return <span className="clip">{own.byName}</span>;
  const word = wordOf(by, text, groupTypes);
  return <span className={word === null ? 'mono clip' : 'clip'}>{word ?? by.name}</span>;
}

function PropertyList(props: PropertyPickerProps) {
  const { project, label, chosen, onlyEvents = false, withCohorts = false, none, onChoose } = props;
  const own = usePart(insightWords);
  const formText = usePart(filterFormWords);
  const text = usePart(filterWords);
  const { format } = useWords();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const known = useProperties(project);
  const part = searchable(typed.trim());
  const fits = (...texts: string[]) => texts.some((each) => searchable(each).includes(part));
  const groupTypes = useGroupTypes();
  const visits = onlyEvents
    ? []
    : sessionFields.map((name) => ({ about: 'session' as const, name, type: typeOfField(name) }));
  const offered = [
    ...(known ?? []).filter(({ about }) => about === 'event'),
    ...visits,
    ...(known ?? []).filter(({ about }) => about !== 'event'),
  ]
    .filter((each) => !('rowsOnly' in each && each.rowsOnly) && (!onlyEvents || each.about === 'event'))
    .filter(({ about, name }) => withCohorts || about !== 'person' || name !== COHORT)
    .filter((each) => fits(each.name, wordOf(each, text, groupTypes) ?? ''));
  if (onlyEvents) offered.sort((a, b) => Number(b.type === 'number') - Number(a.type === 'number'));
  const options: Option[] = [
    ...(none !== undefined && fits(none) ? [{ key: '', content: none, isChosen: chosen === null }] : []),
    ...(!onlyEvents && fits(own.byName)
      ? [{ key: 'name', content: own.byName, isChosen: chosen?.about === 'name' }]
      : []),
    ...offered.slice(0, MAX_SHOWN).map((each) => ({
      key: `${each.about} ${each.name}`,
      group: isGroupSubject(each.about)
        ? groupTypeName(groupTypes, each.about).plural
        : formText.groups[each.about === 'session' ? 'visit' : each.about],
      content: wordOf(each, text, groupTypes) ?? <span className="mono">{each.name}</span>,
      isChosen: chosen !== null && chosen.about === each.about && chosen.name === each.name,
    })),
  ];
  return (
    <div className={css['list']}>
      <Combobox
        label={label}
        placeholder={formText.findProperty}
        typed={typed}
        options={options}
        note={known === null ? formText.loading : options.length === 0 ? formText.noProperty : null}
        status={formText.found(options.length, format.number(options.length))}
        field={field}
        onType={setTyped}
        onChoose={(key) => {
          field.current?.closest<HTMLElement>('[popover]')?.hidePopover();
          onChoose(readKey(key));
        }}
      />
    </div>
  );
}

/** Visits are measured by two numbers. */
function typeOfField(name: (typeof sessionFields)[number]): 'number' | 'string' {
  return name === 'seconds' || name === 'views' ? 'number' : 'string';
}

function readKey(key: string): BreakdownBy | null {
  if (key === '') return null;
  if (key === 'name') return { about: 'name' };
  const [about = ''] = key.split(' ', 1);
  const subject = filterSubjects.find((each) => each === about);
  return subject === undefined ? null : { about: subject, name: key.slice(about.length + 1) };
}
