/** A funnel as a drawing: its steps, conversion over time, or the time it takes. Pure. */
import { stepBefore } from '#src/columns/values.ts';
import type { FunnelResult } from '#src/insights/kinds/funnel/contract.ts';
import { entryLines } from '#views/insights/funnel/entry-lines.ts';
import { timeBars } from '#views/insights/funnel/time-bars.ts';
import type { InsightOf } from '#views/insights/insight.ts';
import { eventsName } from '#views/insights/names.ts';
import { valueTextBy } from '#views/insights/use-value-text.ts';
import { filterWords } from '#views/words/filters.ts';
import { funnelWords } from '#views/words/funnel.ts';
import { insightWords } from '#views/words/insights.ts';
import { palettes } from './palette.ts';
import { type Body, emptyBody, type Reader, readingOf } from './reader.ts';
import { colorOf, drawSeries, type SeriesDrawing } from './series.ts';
import { drawSteps } from './steps.ts';

export function drawFunnel(insight: InsightOf<'funnel'>, result: FunnelResult, reader: Reader): Body {
  const { words, format, goals } = reader;
  const shared = insightWords[words.language];
  const { steps } = result.total;
  if ((steps[0]?.count ?? 0) === 0) return emptyBody(reader);
  const names = insight.own.steps.map((events) => eventsName(events, goals, shared));
  const view = insight.display.funnel ?? 'steps';
  if (view === 'entry') return drawEntries(insight, result, names, reader);
  if (view === 'times' && result.times !== null) return drawTimes(result, reader);
  const own = funnelWords[words.language];
  const drawn = steps.map(({ count, conversionFromPrevious, conversionFromStart }, index) => {
    const before = stepBefore(index + 1, insight.own.optionalSteps);
    const rates =
      index === 0
        ? []
        : [
            ...(conversionFromPrevious === null
              ? []
              : [`${format.percent(conversionFromPrevious)} ${own.fromPrevious(format.number(before))}`]),
            ...(conversionFromStart === null ? [] : [`${format.percent(conversionFromStart)} ${own.fromStart}`]),
          ];
    const optional = insight.own.optionalSteps.includes(index + 1) ? [own.optional] : [];
    return {
      name: `${format.number(index + 1)} ${names[index] ?? ''}`,
      count,
      lines: [format.number(count), ...optional, ...rates],
    };
  });
  return { drawn: drawSteps(drawn, palettes[reader.theme]) };
}

function base({ interval, timeZone, range }: FunnelResult, { weekStart }: Reader) {
  return { interval, timeZone, weekStart, to: range.to, running: null } satisfies Partial<SeriesDrawing>;
}

function drawEntries(
  insight: InsightOf<'funnel'>,
  result: FunnelResult,
  names: readonly string[],
  reader: Reader,
): Body {
  const { words, format } = reader;
  const palette = palettes[reader.theme];
  const own = funnelWords[words.language];
  const shared = insightWords[words.language];
  const text = filterWords[words.language];
  const lines = entryLines(result, {
    reached: (step) => own.reached(format.number(step), names[step - 1] ?? ''),
    all: shared.all,
    valueText: valueTextBy(insight.own.breakdown, { own: shared, text, reading: readingOf(reader) }),
  });
  const asked: SeriesDrawing = {
    ...base(result, reader),
    look: 'line',
    kind: 'share',
    starts: result.starts,
    series: lines.map(({ label, values }, at) => ({ key: String(at), label, values })),
    openFrom: result.openFrom,
  };
  return {
    drawn: drawSeries(asked, words, palette),
    legend: lines.map(({ label }, at) => ({ label, color: colorOf(at, palette) })),
    notes: result.openFrom === null ? [] : [own.immature],
  };
}

function drawTimes(result: FunnelResult, reader: Reader): Body {
  const { words, format } = reader;
  const bars = timeBars(result.times, funnelWords[words.language], format);
  const asked: SeriesDrawing = {
    ...base(result, reader),
    look: 'bar',
    kind: 'count',
    starts: bars.map((_, at) => at),
    labels: bars.map(({ text }) => text),
    series: [{ key: 'times', label: '', values: bars.map(({ count }) => count) }],
  };
  return { drawn: drawSeries(asked, words, palettes[reader.theme]), notes: [funnelWords[words.language].views.times] };
}
