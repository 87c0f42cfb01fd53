/** Who is behind a figure of a trend: those that the figure counts. */
import type { PointQuestion, TrendSpan } from '#src/columns/columns.ts';
import type { TrendRow } from '#src/columns/queries/trends.ts';
import { actorsOfMeasure, isOfFirsts } from '#src/columns/queries/trends.ts';
import { type Sql, sql } from '#src/store/sql.ts';
import { MAX_NUMBERS } from './conditions.ts';
import { fromEvents, person, type QueryParts, type Span } from './events.ts';
import {
  type AskedSeries,
  begunIn,
  type Divided,
  dividedOf,
  firstsSql,
  keptSql,
  lineSql,
  textsOf,
  trendsOf,
} from './trends.ts';

type Asked = Extract<PointQuestion, { kind: 'trends' }>;
type Place = Asked['point']['in'];

export interface Actor {
  actor: number;
  /** How many of their events are in the number. */
  times: number;
}

export interface FoundActors {
  /** The chart's value; null: no data. */
  value: number | null;
  actors: Actor[];
}

/** @param actor SQL: number of the group of an event; null: persons are counted */
export async function trendActors(parts: QueryParts, { asked, point }: Asked, actor: Sql | null): Promise<FoundActors> {
  const series = asked.series[point.series];
  const span = series?.spans[0];
  if (series === undefined || span === undefined) throw new Error('there is no such series');
  const [divided = null] = await dividedOf(parts, asked, [series]);
  const row = divided === null ? 0 : textsOf(divided).indexOf(point.value);
  if (row < 0) return { value: null, actors: [] };
  const [trend] = await trendsOf(parts, asked, { ...series, spans: [span] }, divided);
  const value = valueAt(trend?.rows[row], point.in);
  const stretches = stretchesAt(span, point.in);
  if (stretches === null) return { value, actors: [] };
  const from = await eventsAt(parts, asked, series, { span, divided, row, stretches, actor });
  const actors = await parts.house.query<Actor>(
    sql`select actor, count() as times from (${from}) as behind where actor <> 0
         group by actor order by actor limit ${MAX_NUMBERS + 1}`,
  );
  return { value, actors };
}

function valueAt(row: TrendRow | undefined, place: Place): number | null {
  if (row === undefined) return null;
  if (place === null) return row.total;
  return ('cell' in place ? row.cells?.[place.cell] : row.course[place.window]) ?? null;
}

/** The time of the figure; null: it has none. */
function stretchesAt({ windows, total, cells }: TrendSpan, place: Place): Span[] | null {
  if (place !== null && 'cell' in place) {
    const own = cells?.stretches.filter(({ cell }) => cell === place.cell) ?? [];
    return own.length === 0 ? null : own;
  }
  const window = place === null ? total : windows[place.window];
  return window === undefined || window.until <= window.from ? null : [window];
}

interface EventsAt {
  span: TrendSpan;
  divided: Divided | null;
  row: number;
  stretches: readonly Span[];
  actor: Sql | null;
}

/** The actor of each event of the figure. */
async function eventsAt(
  parts: QueryParts,
  asked: Asked['asked'],
  series: AskedSeries,
  { span, divided, row, stretches, actor }: EventsAt,
): Promise<Sql> {
  const within = (moment: Sql) =>
    sql`(${sql.join(
      stretches.map(({ from, until }) => sql`(${moment} >= ${from} and ${moment} < ${until})`),
      sql` or `,
    )})`;
  const isOfRow = (number?: Sql) => (divided === null ? sql`1` : sql`${lineSql(divided, number)} = ${row}`);
  const { measure } = series;
  const keys = divided?.keys ?? null;
  if (isOfFirsts(measure)) {
    const firsts = await firstsSql(parts, asked, series, { span, keys, actor });
    return sql`select actor from (${firsts}) as firsts where ${within(sql`moment`)} and ${isOfRow(sql`key`)}`;
  }
  const whole = {
    from: Math.min(...stretches.map(({ from }) => from)),
    until: Math.max(...stretches.map(({ until }) => until)),
  };
  if (actorsOfMeasure(measure) === 'visits') {
    const begun = await begunIn(parts, asked, whole);
    const kept = await keptSql(parts, asked, series, begun.whole);
    const join = sql`${keys?.join ?? sql.empty}
      any join (select id, first_ts ${begun.from} and ${within(sql`first_ts`)}) as begun on begun.id = events.session_id`;
    const all = sql`${kept} and events.session_id <> 0 and ${isOfRow()}`;
    return sql`select ${person} as actor ${fromEvents(parts, begun.whole, all, join)}`;
  }
  const kept = await keptSql(parts, asked, series, whole);
  const all = sql`${kept} and ${within(sql`ts`)} and ${isOfRow()}`;
  return sql`select ${actor ?? person} as actor ${fromEvents(parts, whole, all, keys?.join)}`;
}
