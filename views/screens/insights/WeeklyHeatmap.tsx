/** When people are there: weekdays by hours, in the project's zone. */

import { useSuspenseQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { InProject } from '#src/insights/contract.ts';
import type { HeatmapInput } from '#src/insights/kinds/heatmap/contract.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Region } from '#views/kit/Region.tsx';
import { heatmapInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { VisitorHours } from '#views/question/VisitorHours.tsx';
import { useTrpc } from '#views/trpc.ts';
import { hoursWords } from '#views/words/hours.ts';
import { usePart } from '#views/words/words.tsx';
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
  const own = usePart(hoursWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({
    ...trpc.insights.query.heatmap.queryOptions(input),
    refetchInterval: (query) => (query.state.data?.range.until == null ? false : AGAIN_MS),
  });
  return (
    <>
      <VisitorHours data={data} />
      {data.visitors.flat().some((count) => count > 0) && (
        <Explain reference={input.project} question={question} of="hours" name={own.title} />
      )}
    </>
  );
}
