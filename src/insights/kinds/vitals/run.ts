/** Web vitals of a range, in total and by page: each `$web_vitals` event has the measurements so far. */
import type { Columns, ValueSummaries, ValueSummary, ValuesQuery } from '#src/columns/columns.ts';
import { partsOf } from '#src/columns/filters/visit-fields.ts';
import { byBytes } from '#src/kit/order.ts';
import { beginRange, type FirstEventColumns } from '../../query/first-event.ts';
import { areOfSeveralHosts, haveToBeJoined, page, pageWithHost } from '../../query/hosts.ts';
import { countedUntil, resolveRange } from '../../query/ranges.ts';
import { eventScopeOf, type QueryProject, type Resolved } from '../../query/scope.ts';
import { type Vital, type VitalName, type VitalPage, type Vitals, type VitalsInput, vitalNames } from './contract.ts';
import { matchingPages, sortedPages, vitalProperty } from './values.ts';

/** Up to here a measurement is good, and beyond here it is poor. */
export const vitalLimits: Record<VitalName, [good: number, fair: number]> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  FCP: [1_800, 3_000],
};

/** Answers the vitals. @throws AppError `invalid` for a range or filter that cannot be, `timeout` when the database takes too long. */
export async function runVitals(
  columns: Pick<Columns, 'values'> & FirstEventColumns,
  project: QueryProject,
  input: Resolved<VitalsInput>,
  now: number,
): Promise<Vitals> {
  const { context } = await beginRange(columns, project, input.range, now);
  const { range } = resolveRange(input.range, context);
  const ask = async (by: ValuesQuery['by']) => {
    const found = await columns.values(
      {
        projectId: project.id,
        views: [],
        ...eventScopeOf(input),
        spans: [{ from: range.from, until: countedUntil(range), starts: [] }],
      },
      {
        names: ['$web_vitals'],
        by,
        figures: vitalNames.map((name) => ({
          property: vitalProperty(name),
          quantile: input.percentile / 100,
          rows: name === input.vital,
          limits: vitalLimits[name],
        })),
      },
    );
    return Object.fromEntries(vitalNames.map((name, at) => [name, found[at]?.[0]])) as Record<
      VitalName,
      ValueSummaries
    >;
  };
  const first = await ask(pageWithHost);
  const summaries = haveToBeJoined(first[input.vital].rows) ? await ask(page) : first;
  const { rows } = summaries[input.vital];
  const byHost = areOfSeveralHosts(rows);
  const all = rows
    .map((row): VitalPage => {
      const [host, path] = partsOf(row.value);
      return { page: path, ...(byHost && { host }), ...vitalOf(input.vital, row) };
    })
    .sort(
      (one, other) =>
        other.samples - one.samples || byBytes(one.page, other.page) || byBytes(one.host ?? '', other.host ?? ''),
    );
  const { limit, order } = input;
  const listed = order === undefined ? all : sortedPages(matchingPages(all, order.find), order);
  const skipped = ((order?.page ?? 1) - 1) * limit;
  const shown = listed.slice(skipped, skipped + limit);
  const samplesOf = (pages: readonly VitalPage[]) => pages.reduce((sum, { samples }) => sum + samples, 0);
  return {
    range,
    percentile: input.percentile,
    vitals: Object.fromEntries(
      vitalNames.map((name) => [name, vitalOf(name, summaries[name].total)]),
    ) as Vitals['vitals'],
    pages: shown,
    total: listed.length,
    other: { pages: all.length - shown.length, samples: samplesOf(all) - samplesOf(shown) },
  };
}

function vitalOf(name: VitalName, { count, within, quantile }: Omit<ValueSummary, 'value'>): Vital {
  const [good, fair] = vitalLimits[name];
  return {
    value: quantile,
    samples: count,
    good: within[0] as number,
    poor: count - (within[1] as number),
    rating: quantile === null ? null : quantile <= good ? 'good' : quantile <= fair ? 'fair' : 'poor',
  };
}
