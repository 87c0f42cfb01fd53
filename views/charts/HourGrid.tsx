/** Weekdays by hours, in the project's zone. A table whose cells are colored, and read out one by one. */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { missing } from '#views/words/format.ts';
import { hoursWords } from '#views/words/hours.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { wallTime } from '#views/words/zone.ts';
import { HeatScale, heatClass, stepClass } from './HeatScale.tsx';
import css from './HourGrid.module.css';
import { linearStep } from './heat-steps.ts';

/** A weekday (0 Sunday) and an hour. */
export interface HourOfWeek {
  day: number;
  hour: number;
}

export interface HourGridProps {
  /** Accessible name. */
  name: string;
  weekStart: 0 | 1;
  /** By weekday (0 Sunday) and hour; null: there was no such hour. */
  values: readonly (readonly (number | null)[])[];
  /** In a cell. @param most the greatest of all values */
  textOf(value: number, most: number): string;
  /** The greatest value, as the scale names it. */
  mostText(most: number): string;
  /** The hour that is still going on; null: the period is over. */
  running: HourOfWeek | null;
  /** Of an hour that is pointed at, after its name. */
  readOf(place: HourOfWeek): string;
  /** What is counted, and the zone. */
  foot: ReactNode;
  zone: string;
  onPress?: ((place: HourOfWeek) => void) | undefined;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export function HourGrid(props: HourGridProps) {
  const { name, weekStart, values, textOf, mostText, running, readOf, foot, zone, onPress } = props;
  const { words } = useWords();
  const own = usePart(hoursWords);
  const [place, setPlace] = useState<HourOfWeek | null>(null);
  const hint = useId();
  const most = Math.max(...values.flat().map((value) => value ?? 0));
  const days = HOURS.slice(0, 7).map((at) => (at + weekStart) % 7);
  const isAt = (other: HourOfWeek | null, day: number, hour: number) => other?.day === day && other.hour === hour;

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === 'Enter' && place !== null) onPress?.(place);
    const next = step(event, place, days);
    if (next === null) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next.day} ${next.hour}"]`)?.focus();
  }

  return (
    <div className={heatClass}>
      <HeatScale none="0" most={mostText(most)} />
      <div className={css['wrap']}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are gone through by arrow keys
          role="grid"
          aria-describedby={hint}
          className={classNames(css['table'], 'num', onPress && css['pressed'])}
          onPointerOver={({ target }) => setPlace(placeOf(target as Element))}
          onPointerLeave={() => setPlace(null)}
          onFocus={({ target }) => setPlace(placeOf(target))}
          onBlur={() => setPlace(null)}
          onClick={({ target }) => {
            const pressed = placeOf(target as Element);
            if (pressed !== null) onPress?.(pressed);
          }}
          onKeyDown={onKey}
        >
          <caption className="visually-hidden">{name}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{own.weekday}</span>
              </th>
              {HOURS.map((hour) => (
                <th key={hour} scope="col" className={classNames(hour % 6 !== 0 && css['between'])}>
                  <span>{hour}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, at) => (
              <tr key={day}>
                <th scope="row">
                  <abbr title={own.days[day]}>{words.writing.weekdays[day]}</abbr>
                </th>
                {HOURS.map((hour) => {
                  const value = values[day]?.[hour] ?? null;
                  const isFirst = at === 0 && hour === 0;
                  return (
                    <td
                      key={hour}
                      data-cell={`${day} ${hour}`}
                      // One of the cells is reached by the Tab key, the others by arrows.
                      tabIndex={(place === null ? isFirst : isAt(place, day, hour)) ? 0 : -1}
                      className={classNames(
                        value === null ? 'dim' : stepClass(linearStep(value, most)),
                        isAt(running, day, hour) && css['running'],
                      )}
                    >
                      <span>{value === null ? missing : textOf(value, most)}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css['readout']} aria-live="polite">
        {place === null ? '\u00a0' : `${hourName(place, own)}: ${readOf(place)}`}
      </p>
      <p className={css['foot']}>
        <span>{foot}</span>
        <span id={hint}>
          {own.zone(zone)}
          <span className="visually-hidden"> {own.explore}</span>
        </span>
      </p>
    </div>
  );
}

/** "Mondays, 09:00–10:00". */
export function hourName({ day, hour }: HourOfWeek, own: (typeof hoursWords)['en']): string {
  const clock = (at: number) => `${String(at % 24).padStart(2, '0')}:00`;
  return own.hour(own.days[day] ?? '', clock(hour), clock(hour + 1));
}

function placeOf(element: Element): HourOfWeek | null {
  const cell = element.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  const [day, hour] = (cell ?? '').split(' ').map(Number);
  return day === undefined || hour === undefined ? null : { day, hour };
}

/** Where a key leads; null for keys that are not ours. */
function step({ key }: KeyboardEvent, place: HourOfWeek | null, days: readonly number[]): HourOfWeek | null {
  if (place === null) return null;
  const row = days.indexOf(place.day);
  const at = (next: number, hour: number): HourOfWeek => ({
    day: days[Math.min(6, Math.max(0, next))] as number,
    hour: Math.min(23, Math.max(0, hour)),
  });
  if (key === 'ArrowRight') return at(row, place.hour + 1);
  if (key === 'ArrowLeft') return at(row, place.hour - 1);
  if (key === 'ArrowDown') return at(row + 1, place.hour);
  if (key === 'ArrowUp') return at(row - 1, place.hour);
  if (key === 'Home') return at(row, 0);
  return key === 'End' ? at(row, 23) : null;
}

/** The hour of a moment; null: none. */
export function hourOfWeek(moment: number | null, timeZone: string): HourOfWeek | null {
  if (moment === null) return null;
  const { weekday, hour } = wallTime(moment, timeZone);
  return { day: weekday, hour };
}

/** True when weekdays do not occur equally often. */
export function isUneven(dates: readonly number[]): boolean {
  return new Set(dates).size > 1;
}
