/** One row of a query: events, or the alternatives that count as them, with their filters; and what can be done with the row. */
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { EventRuleInput, EventsQuery } from '#src/insights/query/people/contract.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import type { Question } from '#views/question/question.ts';
import { UnknownEvent, useSimilarNames } from '#views/question/UnknownEvent.tsx';
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import { dragRow, focusHandle } from './drag-row.ts';
import { EventChoice, EventNamed } from './EventChoice.tsx';
import { EventFilters } from './EventFilters.tsx';
import { anyOf, eventsName, type GoalName, rulesIn } from './names.ts';
import css from './Query.module.css';

export interface EventsRowProps {
  project: string;
  question: Question;
  goals: readonly GoalName[];
  /** Letter or number of the row. */
  sign: string;
  /** Accessible name of the row. */
  name: string;
  events: EventsQuery;
  onChange(events: EventsQuery): void;
  /** Absent: the row is always there, where it is. */
  place?: RowPlace;
  children?: ReactNode;
}

/** Actions of a row in a list. */
export interface RowPlace {
  index: number;
  count: number;
  /** Absent: there have to be so many. */
  onRemove?: (() => void) | undefined;
  onDuplicate?: (() => void) | undefined;
  onMove(from: number, to: number): void;
}

/** Alternatives of one row. */
const MAX_RULES = 20;

export function EventsRow(props: EventsRowProps) {
  const { sign, name, events, place, children } = props;
  const row = useRef<HTMLLIElement>(null);
  return (
    <li ref={row} className={css['row']}>
      {place && place.count > 1 ? (
        <Handle sign={sign} name={name} place={place} row={row} />
      ) : (
        <span className={css['sign']}>{sign}</span>
      )}
      <div className={css['events']}>
        {'goal' in events ? <GoalRule {...props} /> : <Rules {...props} rules={rulesIn(events)} />}
        {children}
      </div>
      <RowMenu {...props} />
    </li>
  );
}

function GoalRule({ project, question, goals, name, events, onChange }: EventsRowProps) {
  const own = usePart(insightWords);
  return (
    <EventChoice
      project={project}
      range={question.range}
      label={own.event.choose(name)}
      withGoals
      trigger={
        <>
          <Icon name="check" small />
          <span className="clip">{eventsName(events, goals, own)}</span>
          <Icon name="down" small />
        </>
      }
      onChoose={onChange}
    />
  );
}

function Rules({ project, question, name, rules, onChange }: EventsRowProps & { rules: readonly EventRuleInput[] }) {
  const own = usePart(insightWords);
  const replace = (at: number, rule: EventRuleInput): void =>
    onChange(anyOf(rules.map((each, index) => (index === at ? rule : each))));
  return rules.map((rule, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: alternatives are their places
    <div key={at} className={css['rule']}>
      {at > 0 && <span className={css['or']}>{own.event.or}</span>}
      <div className={css['named']}>
        <EventChoice
          project={project}
          range={question.range}
          label={own.event.choose(name)}
          withGoals={rules.length === 1}
          trigger={<EventNamed event={rule.event} />}
          onChoose={(chosen) => {
            if ('event' in chosen) replace(at, { ...rule, event: chosen.event });
            else onChange(chosen);
          }}
        />
        {rules.length > 1 && (
          <button
            type="button"
            className={css['icon']}
            aria-label={own.event.removeOne(rule.event ?? own.event.any)}
            onClick={() => onChange(anyOf(rules.filter((_, index) => index !== at)))}
          >
            <Icon name="x" small />
          </button>
        )}
      </div>
      {rule.event !== null && (
        <Unknown project={project} event={rule.event} onChoose={(event) => replace(at, { ...rule, event })} />
      )}
      <EventFilters
        question={question}
        row={name}
        filters={rule.filters}
        onChange={(filters) => {
          const { filters: _, ...bare } = rule;
          replace(at, filters === undefined ? bare : { ...bare, filters });
        }}
      />
    </div>
  ));
}

function Unknown({ project, event, onChoose }: { project: string; event: string; onChoose(event: string): void }) {
  const similar = useSimilarNames(project, event);
  return (
    similar && (
      <p className={css['unknown']}>
        <UnknownEvent suggestions={similar} onChoose={onChoose} />
      </p>
    )
  );
}

function RowMenu({ name, events, place, onChange }: EventsRowProps) {
  const own = usePart(insightWords);
  const rules = rulesIn(events);
  const actions = [
    rules.length > 0 && rules.length < MAX_RULES
      ? { text: own.event.addOr, run: () => onChange(anyOf([...rules, { event: null }])) }
      : null,
    place?.onDuplicate ? { text: own.row.duplicate, run: place.onDuplicate } : null,
    place && place.index > 0 ? { text: own.row.up, run: () => place.onMove(place.index, place.index - 1) } : null,
    place && place.index < place.count - 1
      ? { text: own.row.down, run: () => place.onMove(place.index, place.index + 1) }
      : null,
    place?.onRemove ? { text: own.row.remove, run: place.onRemove } : null,
  ].filter((action) => action !== null);
  if (actions.length === 0) return null;
  return (
    <Popover
      list
      align="end"
      label={own.row.menu(name)}
      triggerClass={css['icon']}
      trigger={
        <>
          <Icon name="menu" small />
          <span className="visually-hidden">{own.row.menu(name)}</span>
        </>
      }
    >
      <ul>
        {actions.map(({ text, run }) => (
          <li key={text}>
            <button
              type="button"
              className={css['action']}
              onClick={(event) => {
                event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
                run();
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  );
}

/** Moves the row: dragged by the pointer, or by Alt and an arrow key. */
function Handle({
  sign,
  name,
  place,
  row,
}: Pick<EventsRowProps, 'sign' | 'name'> & { place: RowPlace; row: { current: HTMLLIElement | null } }) {
  const own = usePart(insightWords);
  const { index, count, onMove } = place;
  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    const to = index + step;
    if (!event.altKey || step === 0 || to < 0 || to >= count) return;
    event.preventDefault();
    onMove(index, to);
    focusHandle(row.current?.parentElement, to);
  }
  return (
    <button
      type="button"
      data-handle
      className={css['handle']}
      aria-label={own.row.drag(name)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => row.current && dragRow(event, row.current, onMove)}
    >
      {sign}
    </button>
  );
}

/** The list with one of its items at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const left = items.filter((_, at) => at !== from);
  const item = items[from];
  return item === undefined ? [...items] : [...left.slice(0, to), item, ...left.slice(to)];
}
