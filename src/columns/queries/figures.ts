/** What persons did in a span of time: events, visits, revenue and when they were seen last, chunk by chunk. */
import type { ClientBase } from 'pg';
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import type { Amount } from '../conditions/selections.ts';
import type { Rules } from '../filters/rules.ts';
import { bytesOfFigures, type FiguresPart, type FiguresPlan } from '../kernels/person-figures.ts';
import { PROPERTY } from '../storage/encode.ts';
import type { Span } from '../storage/span.ts';
import type { AnswerParts } from './answer-parts.ts';
import { everything, partsOf, type Ready, type ReadySeries, readSeries, type Scope } from './series.ts';

/** Figures of each person. */
export interface FiguresQuery {
  projectId: number;
  include?: Scope['include'];
  /** Time span of the counted events. */
  span: Span;
  /** Events that are worth something: what several are about counts once, by the first. */
  amounts: readonly { rules: Rules; amount: Amount }[];
  decimal?: DecimalSeparator;
}

/** Reads all events of the span, and those that are worth something. */
export function readFigures(parts: AnswerParts, client: ClientBase, asked: FiguresQuery): Promise<Ready> {
  const { projectId, include, span, amounts } = asked;
  const properties = amounts.flatMap(({ amount: { property, currencyProperty } }) =>
    currencyProperty === null ? [property] : [property, currencyProperty],
  );
  return readSeries(
    parts,
    client,
    { projectId, include },
    {
      spans: [span],
      series: [[{ names: null, filters: [] }], ...amounts.map(({ rules }) => rules)],
      by: null,
      columns: ['session'],
      properties,
    },
    everything,
  );
}

/** What each person did in the span, chunk by chunk. */
export async function listFigures(
  ready: Ready,
  { span, amounts, decimal = 'point' }: FiguresQuery,
): Promise<FiguresPart[]> {
  const [rows, ...worth] = ready.series as [ReadySeries, ...ReadySeries[]];
  const plan: FiguresPlan = {
    rows: rows.plan,
    amounts: amounts.map(({ amount: { property, currencyProperty, currency } }, at) => ({
      rows: (worth[at] as ReadySeries).plan,
      amount: PROPERTY + property,
      currency: currencyProperty === null ? null : PROPERTY + currencyProperty,
      otherwise: currency ?? '',
      decimal,
    })),
  };
  const keys = ready.series.map(({ key }) => key);
  const kept = keys.every((key) => key !== null);
  const found = await partsOf<FiguresPart>(
    ready,
    [span.from, span.until],
    kept ? JSON.stringify(['figures', amounts.map(({ amount }) => amount), decimal, keys]) : null,
    (chunks, sets) => ready.parts.threads.run({ task: 'listFigures', plan, chunks, sets }),
    bytesOfFigures,
  );
  return found.map(({ part }) => part);
}
