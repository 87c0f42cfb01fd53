/** The answer to a funnel: how many reach each step and where they drop off, by when they entered or how long it took, and by value of the breakdown. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { stepBefore } from '#src/columns/values.ts';
import type { FunnelInput, FunnelResult, FunnelResultRow } from '#src/insights/kinds/funnel/contract.ts';
import { FunnelChart } from '#views/charts/FunnelChart.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { State } from '#views/kit/State.tsx';
import { datesText } from '#views/question/range-text.ts';
import { missing } from '#views/words/format.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AnswerTools } from '../AnswerTools.tsx';
import { ChartFoot } from '../ChartFoot.tsx';
import { useCoverageNotes } from '../coverage.ts';
import { fewest } from '../few.ts';
import { Headline, Headlines } from '../Headlines.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { eventsName } from '../names.ts';
import { OutsideTile } from '../tile.tsx';
import { useAnswerOptions } from '../use-answer.ts';
import { FunnelEntries, type FunnelPartProps } from './FunnelEntries.tsx';
import { FunnelTable, StepsTable } from './FunnelTables.tsx';
import { FunnelTimes } from './FunnelTimes.tsx';
import { usePerWords } from './use-per-words.ts';

export function FunnelAnswer(props: AnswerProps<'funnel'>) {
  const { reference, insight, now, goals } = props;
  const own = usePart(funnelWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as FunnelResult;
  const { total, rows, range, excluded, open, openFrom } = result;
  const names = insight.own.steps.map((events) => eventsName(events, goals, shared));
  const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
  const began = total.steps[0]?.count ?? 0;
  const compared = rows.length > 0 ? rows : [total];
  // A rate is of those who entered, or of those with the step before.
  const few = fewest(
    compared.flatMap(({ steps }) => [...steps.slice(0, -1).map(({ count }) => count), steps[0]?.previous]),
  );
  const isWhole = rows.length === 0 && few === began;
  const without = useCoverageNotes(result.coverage);
  const { per, attribution, breakdown } = insight.own;
  const perWords = usePerWords(per);
  const view = insight.display.funnel ?? 'steps';
  const isSevered = breakdown !== undefined && (attribution === 'all' || typeof attribution === 'object');
  const part = { ...props, result, names, dates };
  return (
    <>
      <AnswerTools
        {...props}
        result={result}
        withIntervals={view === 'entry'}
        charts={[]}
        updatedAt={dataUpdatedAt}
        queryKey={options.queryKey}
      >
        <FunnelViews {...props} />
      </AnswerTools>
      {began === 0 ? (
        <State icon="chart" title={shared.empty}>
          {shared.emptyText}
        </State>
      ) : (
        <>
          <Summary total={total} names={names} per={per} dates={dates} optional={insight.own.optionalSteps} />
          {view === 'steps' && <Steps {...part} />}
          {view === 'entry' && <FunnelEntries {...part} />}
          {view === 'times' && <FunnelTimes {...part} />}
        </>
      )}
      <ChartFoot
        result={result}
        running={view === 'entry' && began > 0 && openFrom !== null ? own.immature : null}
        notes={[
          ...(isSevered ? [own.several] : []),
          ...(few === null ? [] : [perWords[isWhole ? 'few' : 'fewest'](few)]),
          ...(excluded > 0 ? [own.excluded(excluded, format.number(excluded))] : []),
          ...(open > 0 ? [own.open(open, format.number(open))] : []),
          ...without,
        ]}
      />
      <OutsideTile>
        {began > 0 && rows.length === 0 && <StepsTable {...props} row={total} names={names} caption={dates} />}
        {rows.length > 0 && <FunnelTable {...props} result={result} names={names} caption={dates} />}
      </OutsideTile>
    </>
  );
}

function FunnelViews({ insight, hrefOf }: AnswerProps<'funnel'>) {
  const own = usePart(funnelWords);
  const { funnel: chosen = 'steps', ...others } = insight.display;
  return (
    <Segmented
      label={own.show}
      segments={(['steps', 'entry', 'times'] as const).map((view) => ({
        key: view,
        label: own.views[view],
        href: hrefOf({ ...insight, display: view === 'steps' ? others : { ...others, funnel: view } }),
        current: view === chosen,
      }))}
    />
  );
}

function Steps({ insight, result, names, dates, onPoint }: FunnelPartProps) {
  const own = usePart(funnelWords);
  const { format } = useWords();
  const { per, optionalSteps } = insight.own;
  const perWords = usePerWords(per);
  const { steps } = result.total;
  return (
    <FunnelChart
      name={own.chart(dates)}
      steps={steps.map((step, index) => {
        const before = stepBefore(index + 1, optionalSteps);
        return {
          name: names[index] ?? '',
          count: step.count,
          before: steps[before - 1]?.count ?? step.count,
          isOptional: optionalSteps.includes(index + 1),
          first: perWords.everyone,
          notes: [
            ...(optionalSteps.includes(index + 1) ? [own.optional] : []),
            ...(step.conversionFromPrevious === null || index === 0
              ? []
              : [`${format.percent(step.conversionFromPrevious)} ${own.fromPrevious(format.number(before))}`]),
            ...(step.conversionFromStart === null || index === 0
              ? []
              : [`${format.percent(step.conversionFromStart)} ${own.fromStart}`]),
            ...(step.previous === null ? [] : [own.earlier(format.number(step.previous))]),
            ...(step.medianSecondsToConvert === null || index === 0
              ? []
              : [own.took(format.duration(step.medianSecondsToConvert))]),
          ],
        };
      })}
      droppedText={(count, isOptional) =>
        isOptional ? own.skipped(format.number(count)) : own.droppedOff(format.number(count))
      }
      onPoint={onPoint && ((step, droppedOff) => onPoint({ kind: 'funnel', step: step + 1, dropped: droppedOff }))}
    />
  );
}

interface SummaryProps {
  total: FunnelResultRow;
  optional: readonly number[];
  names: readonly string[];
  per: FunnelInput['per'];
  dates: string;
}

function Summary({ total, names, per, dates, optional }: SummaryProps) {
  const own = usePart(funnelWords);
  const { format } = useWords();
  const { steps, medianSecondsToConvert } = total;
  const last = steps.at(-1);
  const drops = steps
    .map(({ conversionFromPrevious: rate }, at) => ({ at, rate }))
    .filter(({ at }) => at > 0 && !optional.includes(at + 1));
  const before = last?.previous == null ? null : ratio(last.previous, steps[0]?.previous ?? 0);
  const largest = drops.reduce<{ at: number; rate: number } | null>(
    (worst, { at, rate }) => (rate !== null && (worst === null || rate < worst.rate) ? { at, rate } : worst),
    null,
  );
  return (
    <Headlines label={dates}>
      <Headline
        label={own.conversion}
        value={last?.conversionFromStart == null ? missing : format.percent(last.conversionFromStart)}
      >
        {before !== null && <span className="dim">{own.earlier(format.percent(before))}</span>}
      </Headline>
      <Headline label={usePerWords(per).converted} value={format.number(last?.count ?? 0)}>
        {last?.previous != null && <span className="dim">{own.earlier(format.number(last.previous))}</span>}
      </Headline>
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

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
