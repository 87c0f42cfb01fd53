/** Picker of an event (any, a received one, or a goal), with search, volume and description. */

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import type { EventsQuery } from '#src/insights/query/people/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { MAX_STORED_NAME_LENGTH } from '#src/kit/values.ts';
import { useProjects } from '#views/frame/queries.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { useKnown } from '#views/known.ts';
import { Combobox, type Option } from '#views/question/filters/Combobox.tsx';
import { useTrpc } from '#views/trpc.ts';
import { filterFormWords } from '#views/words/filter-form.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { eventName } from './names.ts';
import css from './Query.module.css';

/** Of the events of the period, the commonest. */
const MAX_EVENTS = 200;

export interface EventChoiceProps {
  project: string;
  range: RangeInput;
  /** Of the button, and of the field. */
  label: string;
  trigger: ReactNode;
  triggerClass?: string | undefined;
  /** Goals are offered too. */
  withGoals?: boolean;
  onChoose(events: EventsQuery): void;
}

export function EventChoice({ label, trigger, triggerClass = css['chosen'], ...list }: EventChoiceProps) {
  const [turn, setTurn] = useState(0);
  return (
    <Popover
      label={label}
      triggerClass={triggerClass}
      className={css['chooser']}
      trigger={
        <>
          <span className="visually-hidden">{label}: </span>
          {trigger}
        </>
      }
      onOpen={() => setTurn((last) => last + 1)}
    >
      {turn > 0 && <EventList key={turn} label={label} {...list} />}
    </Popover>
  );
}

/** The name of what is chosen, for the button. */
export function EventNamed({ event }: { event: string | null }) {
  const own = usePart(insightWords);
  const name = eventName(event, own);
  return (
    <>
      <span className={name === event ? 'mono clip' : 'clip'}>{name}</span>
      <Icon name="down" small />
    </>
  );
}

type EventListProps = Omit<EventChoiceProps, 'trigger' | 'triggerClass'>;

function EventList({ project, range, label, withGoals = false, onChoose }: EventListProps) {
  const own = usePart(insightWords);
  const formText = usePart(filterFormWords);
  const { format } = useWords();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { events, goals, descriptions } = useKnownEvents(project, range);
  const part = searchable(typed.trim());
  const fits = (...texts: string[]) => texts.some((text) => searchable(text).includes(part));
  const found = (events ?? []).filter(([name]) => fits(name, eventName(name, own), descriptions.get(name) ?? ''));
  const isKnown = found.some(([name]) => name === typed.trim());
  const options: Option[] = [
    ...(fits(own.event.any) ? [{ key: 'any', content: own.event.any }] : []),
    ...(withGoals ? goals.filter(({ name }) => fits(name)) : []).map(({ id, name }) => ({
      key: `goal ${id}`,
      group: own.event.goals,
      content: name,
    })),
    ...found.map(([name, , count]) => ({
      key: `event ${name}`,
      group: own.event.events,
      content: <EventText name={name} description={descriptions.get(name)} />,
      aside: format.number(count),
    })),
    ...(typed.trim() !== '' && !isKnown
      ? [{ key: `event ${typed.trim()}`, group: '', content: own.event.asTyped(typed.trim()) }]
      : []),
  ];
  return (
    <div className={css['list']}>
      <Combobox
        label={label}
        placeholder={own.event.search}
        typed={typed}
        options={options}
        note={events === undefined ? formText.loading : own.event.counts}
        status={formText.found(options.length, format.number(options.length))}
        field={field}
        maxLength={MAX_STORED_NAME_LENGTH}
        onType={setTyped}
        onChoose={(key) => {
          field.current?.closest<HTMLElement>('[popover]')?.hidePopover();
          if (key === 'any') onChoose({ event: null });
          else if (key.startsWith('goal ')) onChoose({ goal: Number(key.slice(5)) });
          else onChoose({ event: key.slice(6) });
        }}
      />
    </div>
  );
}

function EventText({ name, description }: { name: string; description: string | undefined }) {
  const own = usePart(insightWords);
  const word = eventName(name, own);
  return (
    <>
      {word === name ? <span className="mono">{name}</span> : word}
      {description && <span className="dim"> · {description}</span>}
    </>
  );
}

/** Events of the period, the goals, and what has been written about names, for those who may read that. */
function useKnownEvents(project: string, range: RangeInput) {
  const trpc = useTrpc();
  const role = useProjects()?.current?.role;
  const asked = { project, range, compare: 'none', dimension: 'event', limit: MAX_EVENTS } as const;
  const { data: table } = useKnown(trpc.insights.query.breakdown.queryOptions(asked));
  const { data: goals = [] } = useKnown(trpc.insights.goals.list.queryOptions({ project }));
  const { data: known } = useKnown({
    ...trpc.explorer.definitions.queryOptions({ project, kind: 'event' }),
    enabled: role !== undefined && mayCall('explorer.definitions', role),
  });
  const described = (known?.definitions ?? []).filter(({ description }) => description !== '');
  return {
    events: table?.rows,
    goals,
    descriptions: new Map(described.map(({ name, description }) => [name, description])),
  };
}
