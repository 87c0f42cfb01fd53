/** What the Overview shows besides its tables, as lines of CSV: goals, weekdays by hours, web vitals. Names are the same in every language. */
import type { GoalFigures } from '#src/insights/goals/contract.ts';
import type { Hours } from '#src/insights/hours/contract.ts';
import { type Vital, type VitalName, type Vitals, vitalNames } from '#src/insights/vitals/contract.ts';
import { csvLine } from '#src/kit/csv.ts';

type Cell = string | number | null;

/** A line for each goal, in the order of their names; each currency of theirs has a column. The head says what the rate is a share of. */
export function* goalLines({ goals, per, visitors, comparison }: GoalFigures): Generator<string> {
  const currencies = [...new Set(goals.flatMap(({ revenue }) => revenue.map(({ currency }) => currency)))].sort();
  const compared = comparison !== null && visitors.before !== null;
  yield csvLine([
    ...['goal', 'kind', 'conversions', 'people', `${per}s_converted`, `${per}s`, 'rate'],
    ...currencies.map((currency) => (currency === '' ? 'revenue' : `revenue_${currency}`)),
    ...(compared ? ['conversions_before', 'people_before', 'rate_before'] : []),
  ]);
  for (const { name, kind, conversions, people, rate, revenue } of goals) {
    const { numerator = null, denominator = null } = rate.parts ?? {};
    const worth = new Map(revenue.map(({ currency, sum }) => [currency, sum.value]));
    yield csvLine([
      ...[name, kind, conversions.value, people.value, numerator, denominator, rounded(rate.value)],
      ...currencies.map((currency) => worth.get(currency) ?? null),
      ...(compared ? [conversions.before, people.before, rounded(rate.before)] : []),
    ]);
  }
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A line for each hour of the week, from the day on which the project's weeks begin. */
export function* hourLines({ visitors, views, datesByHour, weekStart }: Hours): Generator<string> {
  yield csvLine(['weekday', 'hour', 'visitors', 'views', 'dates']);
  for (let place = 0; place < weekdays.length; place++) {
    const day = (place + weekStart) % weekdays.length;
    for (const [hour, count] of (visitors[day] ?? []).entries()) {
      yield csvLine([weekdays[day] as string, hour, count, views[day]?.[hour] ?? 0, datesByHour[day]?.[hour] ?? 0]);
    }
  }
}

/** A line for each vital over all pages, and then for each page by the one that was asked for. */
export function* vitalLines({ vitals, pages, others }: Vitals, vital: VitalName): Generator<string> {
  const byHost = pages.some(({ host }) => host !== undefined);
  const hostCell = (host: Cell): Cell[] => (byHost ? [host] : []);
  yield csvLine(['vital', 'page', ...hostCell('host'), 'p75', 'measurements', 'good', 'poor', 'rating']);
  const cells = ({ p75, samples, good, poor, rating }: Vital): Cell[] => [rounded(p75), samples, good, poor, rating];
  for (const name of vitalNames) yield csvLine([name, '(all pages)', ...hostCell(null), ...cells(vitals[name])]);
  for (const { page, host = null, ...own } of pages) yield csvLine([vital, page, ...hostCell(host), ...cells(own)]);
  if (others.pages === 0) return;
  yield csvLine([vital, `(${others.pages} others)`, ...hostCell(null), null, others.samples, null, null, null]);
}

/** As in tables: to the ten-thousandth. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}
