/** Above the table of events: which period, which events, which columns, and ways to take them along. Every choice is a link. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { ComboboxInput } from '#views/kit/ComboboxField.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { OptionGroup, optionClass, Popover } from '#views/kit/Popover.tsx';
import { Select } from '#views/kit/Select.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { DateRange } from '#views/question/DateRange.tsx';
import type { Today } from '#views/question/dates.ts';
import {
  columnOf,
  type ExplorerState,
  exploredAddress,
  type OwnColumn,
  ownColumns,
  pathOf,
  propertyOf,
  usualColumns,
} from '#views/question/explorer-address.ts';
import type { FilterChipsProps } from '#views/question/filters/FilterChips.tsx';
import { useTrpc } from '#views/trpc.ts';
import { eventsWords } from '#views/words/events.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './EventsBar.module.css';
import { ColumnName } from './EventsTable.tsx';
import { ExportMenu } from './ExportMenu.tsx';

const FilterChips = lazyPart<FilterChipsProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).FilterChips,
);

export interface EventsBarProps {
  reference: string;
  explored: ExplorerState;
  now: Today;
}

export function EventsBar({ reference, explored, now }: EventsBarProps) {
  const { words } = useWords();
  const path = pathOf(reference, explored);
  return (
    <search className={css['bar']} aria-label={words.regions.filters}>
      <Names reference={reference} explored={explored} />
      <Late>
        <FilterChips withSegments ofRows path={path} question={explored.question} events={explored.names} />
      </Late>
      <span className={css['right']}>
        <ExportMenu reference={reference} explored={explored} />
        <Columns reference={reference} explored={explored} />
        <DateRange path={path} question={explored.question} now={now} />
      </span>
    </search>
  );
}

type PartProps = Omit<EventsBarProps, 'now'>;

/** Filter by event name. */
function Names({ reference, explored }: PartProps) {
  const { format } = useWords();
  const text = usePart(eventsWords);
  const { names } = explored;
  const [first] = names;
  return (
    <Popover
      list
      label={text.chooseNames}
      triggerClass={smallButtonClass}
      className={css['names']}
      trigger={
        <>
          {first === undefined ? (
            text.allNames
          ) : names.length === 1 ? (
            <span className="mono clip">{first}</span>
          ) : (
            text.someNames(format.number(names.length))
          )}
          <Icon name="down" small />
        </>
      }
    >
      <Late>
        <NameList reference={reference} explored={explored} />
      </Late>
    </Popover>
  );
}

function NameList({ reference, explored }: PartProps) {
  const trpc = useTrpc();
  const text = usePart(eventsWords);
  const { data } = useSuspenseQuery(trpc.explorer.names.queryOptions({ project: reference }));
  const { names } = explored;
  const to = (chosen: string[]) =>
    exploredAddress(reference, { ...explored, names: chosen, after: null, before: null, open: null });
  const all = [...new Set([...names, ...data.events])];
  return (
    <ul>
      <li>
        <Link href={to([])} className={optionClass(names.length === 0)} aria-current={names.length === 0 || undefined}>
          {text.allNames}
        </Link>
      </li>
      {all.map((name) => {
        const isChosen = names.includes(name);
        const next = isChosen ? names.filter((each) => each !== name) : [...names, name];
        return (
          <li key={name}>
            <Link href={to(next)} className={optionClass(isChosen)} aria-current={isChosen || undefined}>
              <span className="mono clip">{name}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Choice of columns; properties that are not listed are typed. */
function Columns({ reference, explored }: PartProps) {
  const text = usePart(eventsWords);
  const { columns } = explored;
  const to = (next: readonly string[]) => exploredAddress(reference, { ...explored, columns: [...next] });
  const isUsual = columns.join('\n') === usualColumns.join('\n');
  const nameOf = (column: string) => propertyOf(column)?.name ?? text.columns[column as OwnColumn];
  const others = ownColumns.filter((column) => !columns.includes(column));
  return (
    <Popover
      align="end"
      label={text.chooseColumns}
      triggerClass={smallButtonClass}
      className={css['columns']}
      trigger={
        <>
          <Icon name="table" />
          {text.chooseColumns}
        </>
      }
    >
      <ul>
        {columns.map((column) => (
          <li key={column}>
            <Link
              href={to(columns.filter((each) => each !== column))}
              className={optionClass(true)}
              aria-label={text.removeColumn(nameOf(column))}
            >
              <span className="clip">
                <ColumnName column={column} />
              </span>
              <Icon name="x" small />
            </Link>
          </li>
        ))}
        {others.map((column) => (
          <li key={column}>
            <Link href={to([...columns, column])} className={optionClass()} aria-label={text.addNamed(nameOf(column))}>
              <ColumnName column={column} />
            </Link>
          </li>
        ))}
        {!isUsual && (
          <li>
            <Link href={to(usualColumns)} className={optionClass()}>
              {text.usualColumns}
            </Link>
          </li>
        )}
      </ul>
      <OptionGroup title={text.addColumn}>
        <Late>
          <AddColumn reference={reference} explored={explored} />
        </Late>
      </OptionGroup>
    </Popover>
  );
}

function AddColumn({ reference, explored }: PartProps) {
  const trpc = useTrpc();
  const text = usePart(eventsWords);
  const { navigate } = useNavigate();
  const [typed, setTyped] = useState('');
  const { data } = useSuspenseQuery(trpc.explorer.names.queryOptions({ project: reference }));
  return (
    <form
      className={`${css['add']} script-only`}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        const column = columnOf({ of: fields.get('of') === 'person' ? 'person' : 'event', name: typed.trim() });
        if (propertyOf(column) === null || explored.columns.includes(column)) return;
        event.currentTarget.reset();
        setTyped('');
        navigate(exploredAddress(reference, { ...explored, columns: [...explored.columns, column] }));
      }}
    >
      <ComboboxInput
        names={{ 'aria-label': text.addColumn }}
        mono
        name="name"
        maxLength={400}
        required
        options={data.properties}
        value={typed}
        onChange={setTyped}
      />
      <Select className="input" name="of" aria-label={text.whose}>
        <option value="event">{text.ofEvent}</option>
        <option value="person">{text.ofThePerson}</option>
      </Select>
      <Button small type="submit">
        {text.add}
      </Button>
    </form>
  );
}
