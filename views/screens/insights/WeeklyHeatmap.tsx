/** When people are there: weekdays by hours, in the project's zone. A table whose cells are coloured, and read out one by one. */

import { useSuspenseQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import type { InProject } from '#src/insights/contract.ts';
import type { HeatmapInput, HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import { HeatScale, heatClass, STEPS, stepClass } from '#views/charts/HeatScale.tsx';
import { Explain } from '#views/explain/Explain.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Region } from '#views/kit/Region.tsx';
import { heatmapInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { useTrpc } from '#views/trpc.ts';
import { type Format, missing } from '#views/words/format.ts';
import { hoursWords } from '#views/words/hours.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { wallTime } from '#views/words/zone.ts';
import css from './WeeklyHeatmap.module.css';

export interface WeeklyHeatmapProps {
  reference: string;
  region: RegionOf;
}

export function WeeklyHeatmap({ reference, region }: WeeklyHeatmapProps) {
  const own = usePart(hoursWords);
  const id = useId();
  return (
    <section aria-labelledby={id} className={css['when']}>
      <h2 id={id} className={css['title']}>
        {own.title}
      </h2>
      <Region {...region} skeleton={<div className={classNames(css['bones'], 'skeleton')} />}>
        {(shown) => <Grid input={heatmapInput(reference, shown)} question={shown} />}
      </Region>
    </section>
  );
}

const AGAIN_MS = 60_000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A weekday (0 Sunday) and an hour. */
interface Place {
  day: number;
  hour: number;
}

function Grid({ input, question }: { input: InProject<HeatmapInput>; question: Question }) {
  const { words, format } = useWords();
  const own = usePart(hoursWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({
    ...trpc.insights.query.heatmap.queryOptions(input),
    refetchInterval: (query) => (query.state.data?.range.until == null ? false : AGAIN_MS),
  });
  const [place, setPlace] = useState<Place | null>(null);
  const hint = useId();
  const most = Math.max(...data.visitors.flat());
  if (most === 0) return <p className={css['empty']}>{own.empty}</p>;
  const days = HOURS.slice(0, 7).map((at) => (at + data.weekStart) % 7);
  const now = runningPlace(data);
  const sentence = place && sentenceOf(data, place, now, own, format);

  const onPointer = (event: PointerEvent<HTMLElement>) => setPlace(placeOf(event.target as Element));
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const next = step(event, place, days);
    if (next === null) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next.day} ${next.hour}"]`)?.focus();
  };

  return (
    <div className={heatClass}>
      <HeatScale none="0" most={format.number(most)} />
      <div className={css['wrap']}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are gone through by arrow keys
          role="grid"
          aria-describedby={hint}
          className={classNames(css['table'], 'num')}
          onPointerOver={onPointer}
          onPointerLeave={() => setPlace(null)}
          onFocus={(event) => setPlace(placeOf(event.target))}
          onBlur={() => setPlace(null)}
          onKeyDown={onKey}
        >
          <caption className="visually-hidden">{own.table}</caption>
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
                  const visitors = data.visitors[day]?.[hour] ?? 0;
                  const isCounted = hasBeen(data, day, hour);
                  const isRunning = now?.day === day && now.hour === hour;
                  return (
                    <td
                      key={hour}
                      data-cell={`${day} ${hour}`}
                      // One of the cells is reached by the Tab key, the others by arrows.
                      tabIndex={
                        place === null ? (at === 0 && hour === 0 ? 0 : -1) : samePlace(place, day, hour) ? 0 : -1
                      }
                      className={classNames(
                        isCounted ? stepClass(visitors === 0 ? 0 : Math.ceil((visitors / most) * STEPS)) : 'dim',
                        isRunning && css['running'],
                      )}
                    >
                      <span>{isCounted ? format.short(visitors, most) : missing}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css['readout']} aria-live="polite">
        {sentence ?? '\u00a0'}
      </p>
      <p className={css['foot']}>
        <span>
          {own.what} {isUneven(data) && own.uneven}
        </span>
        <span id={hint}>
          {own.zone(format.zone(data.range.until ?? data.range.to, data.timeZone))}
          <span className="visually-hidden"> {own.explore}</span>
        </span>
      </p>
      <Explain reference={input.project} question={question} of="hours" name={own.title} />
    </div>
  );
}

function samePlace(place: Place, day: number, hour: number): boolean {
  return place.day === day && place.hour === hour;
}

function placeOf(element: Element): Place | null {
  const cell = element.closest<HTMLElement>('[data-cell]')?.dataset['cell'];
  const [day, hour] = (cell ?? '').split(' ').map(Number);
  return day === undefined || hour === undefined ? null : { day, hour };
}

/** Where a key leads; null for keys that are not ours. */
function step({ key }: KeyboardEvent, place: Place | null, days: readonly number[]): Place | null {
  if (place === null) return null;
  const row = days.indexOf(place.day);
  const at = (next: number, hour: number): Place => ({
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

/** The hour that is still going on, when the period is. */
function runningPlace({ range, timeZone }: HeatmapResult): Place | null {
  if (range.until === null) return null;
  const { weekday, hour } = wallTime(range.until, timeZone);
  return { day: weekday, hour };
}

function isUneven({ dates }: HeatmapResult): boolean {
  return new Set(dates).size > 1;
}

/** HeatmapResult that are still to come, and weekdays that are not in the period, are not hours in which nobody came. */
function hasBeen({ datesByHour }: HeatmapResult, day: number, hour: number): boolean {
  return (datesByHour[day]?.[hour] ?? 0) > 0;
}

/** "Mondays, 09:00–10:00: 35 visitors, 80 page views, on 4 days". */
function sentenceOf(
  data: HeatmapResult,
  { day, hour }: Place,
  now: Place | null,
  own: (typeof hoursWords)['en'],
  format: Format,
): string {
  const count = (numbers: number[][]) => numbers[day]?.[hour] ?? 0;
  const clock = (at: number) => `${String(at % 24).padStart(2, '0')}:00`;
  const [visitors, views, dates] = [count(data.visitors), count(data.views), count(data.datesByHour)];
  const name = own.hour(own.days[day] ?? '', clock(hour), clock(hour + 1));
  if (!hasBeen(data, day, hour)) return `${name}: ${own.notYet}`;
  const parts = [
    own.visitors(visitors, format.number(visitors)),
    own.views(views, format.number(views)),
    own.dates(dates, format.number(dates)),
    ...(now !== null && samePlace(now, day, hour) ? [own.running] : []),
  ];
  return `${name}: ${parts.join(', ')}`;
}
