/** When people are there: weekdays by hours, in the project's zone. */

import { useSuspenseQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { InProject } from '#src/insights/contract.ts';
import type { HeatmapInput, HeatmapResult } from '#src/insights/kinds/heatmap/contract.ts';
import { HourGrid, type HourOfWeek, hourOfWeek, isUneven } from '#views/charts/HourGrid.tsx';
import { Explain } from '#views/explain/Explain.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Region } from '#views/kit/Region.tsx';
import { heatmapInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { useTrpc } from '#views/trpc.ts';
import type { Format } from '#views/words/format.ts';
import { hoursWords } from '#views/words/hours.ts';
import { usePart, useWords } from '#views/words/words.tsx';
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

function Grid({ input, question }: { input: InProject<HeatmapInput>; question: Question }) {
  const { format } = useWords();
  const own = usePart(hoursWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({
    ...trpc.insights.query.heatmap.queryOptions(input),
    refetchInterval: (query) => (query.state.data?.range.until == null ? false : AGAIN_MS),
  });
  if (Math.max(...data.visitors.flat()) === 0) return <p className={css['empty']}>{own.empty}</p>;
  const running = hourOfWeek(data.range.until, data.timeZone);
  // Hours that are still to come, and weekdays that are not in the period, are not hours in which nobody came.
  const values = data.visitors.map((hours, day) =>
    hours.map((count, hour) => ((data.datesByHour[day]?.[hour] ?? 0) > 0 ? count : null)),
  );
  return (
    <>
      <HourGrid
        name={own.table}
        weekStart={data.weekStart}
        values={values}
        textOf={format.short}
        mostText={format.number}
        running={running}
        readOf={(place) => sentenceOf(data, place, running, own, format)}
        foot={`${own.what} ${isUneven(data.dates) ? own.uneven : ''}`}
        zone={format.zone(data.range.until ?? data.range.to, data.timeZone)}
      />
      <Explain reference={input.project} question={question} of="hours" name={own.title} />
    </>
  );
}

/** "35 visitors, 80 page views, on 4 days". */
function sentenceOf(
  data: HeatmapResult,
  { day, hour }: HourOfWeek,
  now: HourOfWeek | null,
  own: (typeof hoursWords)['en'],
  format: Format,
): string {
  const count = (numbers: number[][]) => numbers[day]?.[hour] ?? 0;
  const [visitors, views, dates] = [count(data.visitors), count(data.views), count(data.datesByHour)];
  if (dates === 0) return own.notYet;
  const parts = [
    own.visitors(visitors, format.number(visitors)),
    own.views(views, format.number(views)),
    own.dates(dates, format.number(dates)),
    ...(now?.day === day && now.hour === hour ? [own.running] : []),
  ];
  return parts.join(', ');
}
