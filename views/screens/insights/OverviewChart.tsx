/** The chart of the chosen metric, or the same as a table: a number of all visitors, or of the chosen goal; and what stands around it. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import { TableSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { intervalOf } from '#views/charts/chart-notes.tsx';
import { LineChart } from '#views/charts/LineChart.tsx';
import type { LineChartProps } from '#views/charts/line-chart.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { Dates } from '#views/question/dates.ts';
import { annotationsInput } from '#views/question/inputs.ts';
import { NoteForm } from '#views/question/notes/AddNote.tsx';
import { Notes } from '#views/question/notes/Notes.tsx';
import { addressOf } from '#views/question/question.ts';
import { datesText } from '#views/question/range-text.ts';
import { useTrpc } from '#views/trpc.ts';
import { conversionWords } from '#views/words/conversions.ts';
import { noteWords } from '#views/words/notes.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { ChartTools, type ChartToolsProps, datesIn, drawnDates } from './ChartTools.tsx';
import { drawnSeries } from './drawn-series.ts';
import type { FootnotesProps } from './Footnotes.tsx';
import css from './OverviewChart.module.css';

const ChartTable = lazyPart<LineChartProps>(
  'overview-cards',
  async () => (await import('#views/areas/overview-cards.ts')).ChartTable,
);

const Footnotes = lazyPart<FootnotesProps>(
  'overview-cards',
  async () => (await import('#views/areas/overview-cards.ts')).Footnotes,
);

export type OverviewChartProps = ChartToolsProps;

export function OverviewChart(props: OverviewChartProps) {
  const { reference, question, project, now, data } = props;
  const { words, format } = useWords();
  const own = usePart(conversionWords);
  const noted = usePart(noteWords);
  const trpc = useTrpc();
  const { data: notes } = useSuspenseQuery(
    trpc.insights.annotations.list.queryOptions(annotationsInput(reference, question)),
  );
  const { data: releases } = useSuspenseQuery(trpc.errors.releases.queryOptions(annotationsInput(reference, question)));
  const [day, setDay] = useState<string | null>(null);
  const { metric, view } = question;
  const course = drawnSeries(data, metric, words, own);
  const { range, comparison, interval, timeZone } = data;
  const textOf = (dates: Dates) => datesText(dates, now, format);
  const before = comparison && course.comparison && { range: comparison, values: course.comparison };
  const chart: LineChartProps = {
    kind: course.kind,
    good: course.good,
    label: course.label,
    events: course.events,
    interval,
    timeZone,
    name: words.chart.name(course.label, interval, textOf(drawnDates(data)), before && textOf(datesIn(before.range))),
    weekStart: project.weekStart,
    series: { starts: data.starts, to: range.to, values: course.values },
    comparison: before && { starts: data.comparisonStarts, to: before.range.to, values: before.values },
    running: data.running,
    until: range.until,
    notes: [...notes, ...releases.map(({ version, at }) => ({ at, text: noted.release(version) }))].map(
      ({ at, text }) => ({ index: intervalOf(at, data.starts), text }),
    ),
    onNote: mayCall('insights.annotations.create', project.role)
      ? (index) => setDay(dateIn(data.starts[index] ?? range.from, timeZone))
      : undefined,
  };
  return (
    <>
      <ChartTools {...props} />
      {view === 'chart' ? (
        <LineChart {...chart} />
      ) : (
        <Late fallback={<TableSkeleton rows={data.starts.length} />}>
          <ChartTable {...chart} />
        </Late>
      )}
      <Notes
        reference={reference}
        notes={notes}
        project={project}
        now={now}
        aroundHref={(around) => addressOf(props.path, { ...question, ...around, interval: null })}
      />
      {day !== null && (
        <Late>
          <NoteForm reference={reference} note={null} day={day} timeZone={timeZone} onClose={() => setDay(null)} />
        </Late>
      )}
      <Late fallback={<div className={css['footPlace']} />}>
        <Footnotes reference={reference} question={question} project={project} data={data} path={props.path} />
      </Late>
      <Explain reference={reference} question={question} name={course.label} of={course.metric} narrowFile="figures" />
    </>
  );
}
