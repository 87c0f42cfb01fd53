/** The answer to a funnel: how many reach each step, where they drop off, and the same by value of the breakdown. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { FunnelResult, FunnelResultRow } from '#src/insights/kinds/funnel/contract.ts';
import { FunnelChart } from '#views/charts/FunnelChart.tsx';
import { State } from '#views/kit/State.tsx';
import { datesText } from '#views/question/range-text.ts';
import { missing } from '#views/words/format.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AnswerTools } from '../AnswerTools.tsx';
import { ChartFoot } from '../ChartFoot.tsx';
import { Headline, Headlines } from '../Headlines.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { eventsName } from '../names.ts';
import { useAnswerOptions } from '../use-answer.ts';
import { FunnelTable, StepsTable } from './FunnelTables.tsx';

/** Fewer people than that say little. */
const FEW = 30;

export function FunnelAnswer(props: AnswerProps<'funnel'>) {
  const { reference, insight, now, goals, onPoint } = props;
  const own = usePart(funnelWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as FunnelResult;
  const { total, rows, range, excluded, open } = result;
  const names = insight.own.steps.map((events) => eventsName(events, goals, shared));
  const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
  const began = total.steps[0]?.count ?? 0;
  const { per } = insight.own;
  return (
    <>
      <AnswerTools {...props} result={result} charts={[]} updatedAt={dataUpdatedAt} queryKey={options.queryKey} />
      {began === 0 ? (
        <State icon="chart" title={shared.empty}>
          {shared.emptyText}
        </State>
      ) : (
        <>
          <Summary total={total} names={names} per={per} dates={dates} />
          <FunnelChart
            name={own.chart(dates)}
            steps={total.steps.map((step, index) => ({
              name: names[index] ?? '',
              count: step.count,
              first: own.everyone[per],
              notes: [
                ...(step.conversionFromPrevious === null || index === 0
                  ? []
                  : [`${format.percent(step.conversionFromPrevious)} ${own.fromPrevious(format.number(index))}`]),
                ...(step.conversionFromStart === null || index === 0
                  ? []
                  : [`${format.percent(step.conversionFromStart)} ${own.fromStart}`]),
                ...(step.medianSecondsToConvert === null || index === 0
                  ? []
                  : [own.took(format.duration(step.medianSecondsToConvert))]),
              ],
            }))}
            droppedText={(count) => own.droppedOff(format.number(count))}
            onPoint={
              onPoint && ((step, droppedOff) => onPoint({ kind: 'funnel', step: step + 1, dropped: droppedOff }))
            }
          />
        </>
      )}
      <ChartFoot
        result={result}
        running={null}
        notes={[
          ...(began > 0 && began < FEW && per === 'persons' ? [shared.few(began, format.number(began))] : []),
          ...(excluded > 0 ? [own.excluded(excluded, format.number(excluded))] : []),
          ...(open > 0 ? [own.open(open, format.number(open))] : []),
        ]}
      />
      {began > 0 && rows.length === 0 && <StepsTable {...props} row={total} names={names} caption={dates} />}
      {rows.length > 0 && <FunnelTable {...props} result={result} names={names} caption={dates} />}
    </>
  );
}

interface SummaryProps {
  total: FunnelResultRow;
  names: readonly string[];
  per: 'persons' | 'visits';
  dates: string;
}

function Summary({ total, names, per, dates }: SummaryProps) {
  const own = usePart(funnelWords);
  const { format } = useWords();
  const { steps, medianSecondsToConvert } = total;
  const last = steps.at(-1);
  const drops = steps.slice(1).map(({ conversionFromPrevious: rate }, at) => ({ at: at + 1, rate }));
  const largest = drops.reduce<{ at: number; rate: number } | null>(
    (worst, { at, rate }) => (rate !== null && (worst === null || rate < worst.rate) ? { at, rate } : worst),
    null,
  );
  return (
    <Headlines label={dates}>
      <Headline
        label={own.conversion}
        value={last?.conversionFromStart == null ? missing : format.percent(last.conversionFromStart)}
      />
      <Headline label={own.converted[per]} value={format.number(last?.count ?? 0)} />
      <Headline
        label={own.median}
        value={medianSecondsToConvert === null ? missing : format.duration(medianSecondsToConvert)}
      />
      {largest !== null && (
        <Headline label={own.largestDrop} value={format.percent(1 - largest.rate)}>
          <span className="dim">{own.beforeStep(names[largest.at] ?? '')}</span>
        </Headline>
      )}
    </Headlines>
  );
}
