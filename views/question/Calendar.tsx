/**
 * A month to choose dates in. Arrows go to another day, Page Up and Page Down to another month (with Shift to another year), Home and End to the
 * ends of the week; Enter and Space choose. Drawn in the browser alone, so names come from its own tables.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { dateWords } from '#views/words/dates.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Calendar.module.css';
import { addMonths, monthOf, moved, weeksOf } from './calendar-days.ts';
import type { Dates, Today } from './dates.ts';

export interface CalendarProps {
  /** The dates that are marked; while only the first is chosen, both ends are that one. */
  chosen: Dates | null;
  /** The latest that can be chosen. */
  latest: string;
  now: Today;
  onChoose(date: string): void;
}

export function Calendar({ chosen, latest, now, onChoose }: CalendarProps) {
  const text = usePart(dateWords);
  const { words } = useWords();
  const { locale } = words.writing;
  const [current, setCurrent] = useState(() => earlierOf(chosen?.to ?? now.today, latest));
  const [shown, setShown] = useState(() => monthOf(current));
  const grid = useRef<HTMLTableElement>(null);
  const isMoved = useRef(false);
  const id = useId();

  useEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-date="${current}"]`)?.focus();
  }, [current]);

  function goTo(date: string): void {
    const next = earlierOf(date, latest);
    isMoved.current = true;
    setCurrent(next);
    setShown(monthOf(next));
  }

  function turn(months: number): void {
    const next = earlierOf(addMonths(current, months), latest);
    setCurrent(next);
    setShown(monthOf(next));
  }

  function onKeyDown(event: KeyboardEvent): void {
    // In the list around it, arrows would move on.
    event.stopPropagation();
    if (event.key === 'Enter' || event.key === ' ') onChoose(current);
    else {
      const next = moved(current, event.key, { byYear: event.shiftKey, weekStart: now.weekStart });
      if (next === null) return;
      goTo(next);
    }
    event.preventDefault();
  }

  const weeks = weeksOf(shown, now.weekStart);
  return (
    <div className={css['calendar']}>
      <div className={css['month']}>
        <Turn icon="left" label={text.earlierMonth} onPress={shown > '1970-01' ? () => turn(-1) : null} />
        <span id={id} aria-live="polite">
          {named(`${shown}-01`, locale, { month: 'long', year: 'numeric' })}
        </span>
        <Turn icon="right" label={text.laterMonth} onPress={shown < monthOf(latest) ? () => turn(1) : null} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a month is a grid of days */}
      <table ref={grid} role="grid" aria-labelledby={id} className={css['days']} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {(weeks[1] ?? []).map((date) => (
              <th key={date} scope="col" abbr={named(date ?? '', locale, { weekday: 'long' })}>
                {named(date ?? '', locale, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((date) => date !== null)}>
              {week.map((date, weekday) =>
                date === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a place of the week without a day
                  <td key={weekday} />
                ) : (
                  <Day
                    key={date}
                    date={date}
                    name={named(date, locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
                    chosen={chosen}
                    isCurrent={date === current}
                    isToday={date === now.today}
                    isOff={date > latest}
                    onChoose={() => {
                      setCurrent(date);
                      onChoose(date);
                    }}
                  />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DayProps {
  date: string;
  name: string;
  chosen: Dates | null;
  isCurrent: boolean;
  isToday: boolean;
  isOff: boolean;
  onChoose(): void;
}

function Day({ date, name, chosen, isCurrent, isToday, isOff, onChoose }: DayProps) {
  const isWithin = chosen !== null && date >= chosen.from && date <= chosen.to;
  const isEnd = chosen !== null && (date === chosen.from || date === chosen.to);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
      role="gridcell"
      data-date={date}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={name}
      aria-selected={isWithin}
      aria-disabled={isOff || undefined}
      aria-current={isToday ? 'date' : undefined}
      className={classNames(css['day'], isWithin && css['within'], isEnd && css['edge'], isOff && css['off'])}
      onClick={isOff ? undefined : onChoose}
    >
      {Number(date.slice(8))}
    </td>
  );
}

function Turn({ icon, label, onPress }: { icon: 'left' | 'right'; label: string; onPress: (() => void) | null }) {
  return (
    <button
      type="button"
      className={css['turn']}
      aria-label={label}
      aria-disabled={onPress === null || undefined}
      onClick={onPress ?? undefined}
    >
      <Icon name={icon} />
    </button>
  );
}

function named(date: string, locale: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(locale, { ...options, timeZone: 'UTC' });
}

function earlierOf(date: string, other: string): string {
  return date < other ? date : other;
}
