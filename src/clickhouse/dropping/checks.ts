/** What stands against dropping a month of single events from PostgreSQL: each is an error that says what to do. */
import { droppedMonths, partitionOfMonth } from '#src/events/dropped.ts';
import { sealedEpoch } from '#src/events/sealing.ts';
import { AppError, invalid } from '#src/kit/errors.ts';
import { dayMs, formatDate } from '#src/kit/zone.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { isChanging, readState, readSwitched } from '../state.ts';
import { isBeforeWindow, type Month } from './month.ts';

const refused = (message: string) => new AppError('conflict', message);

/** Before anything is compared. @param hotDays CLICKHOUSE_HOT_DAYS @throws AppError `invalid`, `conflict` */
export async function checkMonth(
  on: Queryable,
  month: Month,
  { hotDays, now }: { hotDays: number | undefined; now: number },
): Promise<void> {
  if (hotDays === undefined) throw invalid('CLICKHOUSE_HOT_DAYS', 'CLICKHOUSE_HOT_DAYS is not set.');
  if (!isBeforeWindow(month, hotDays, now)) {
    throw refused(`${month.name} is not a day before the hot window of ${hotDays} days (CLICKHOUSE_HOT_DAYS).`);
  }
  const months = await droppedMonths(on);
  if (months.some(({ month: name }) => name === month.name)) throw refused(`${month.name} was dropped already.`);
  const lost = months.filter(({ isLost }) => isLost);
  if (lost.length > 0)
    throw refused(`ClickHouse does not have all of ${lost.map((each) => each.month).join(', ')}. See Status.`);
  await checkPartition(on, month);
  await checkProjects(on, month);
  await checkElsewhere(on, month, now);
}

/** It is the oldest one, and has all of its events. */
async function checkPartition(on: Queryable, month: Month): Promise<void> {
  const name = partitionOfMonth(month.name);
  const [found] = await query<{ isThere: boolean; earlier: number | null; astray: boolean }>(
    on,
    sql`select exists (select from pg_inherits where inhparent = 'events'::regclass and inhrelid = to_regclass(${name})) as "isThere",
               (select min(ts) from events where ts < ${sql.time(month.from)}) as earlier,
               exists (select from only events_default
                        where ts >= ${sql.time(month.from)} and ts < ${sql.time(month.until)}) as astray`,
  );
  if (found?.isThere !== true) throw refused(`PostgreSQL has no partition of ${month.name}.`);
  if (found.earlier !== null) {
    const day = formatDate(Math.floor(found.earlier / dayMs));
    throw refused(
      `There are earlier events (${day}). Drop the oldest month first; implausible dates: npm run delete-early.`,
    );
  }
  if (found.astray) throw refused(`Some events of ${month.name} are outside its partition, in events_default.`);
}

async function checkProjects(on: Queryable, { name, from, until }: Month): Promise<void> {
  const switched = await readSwitched(on);
  const others = await query<{ id: number }>(
    on,
    sql`select id from projects as p
         where not id = any(${switched}::int[]) and exists (
           select from events where project_id = p.id and ts >= ${sql.time(from)} and ts < ${sql.time(until)})
         order by id`,
  );
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id).join(', ');
  throw refused(
    `These projects have events in ${name} and do not run on ClickHouse: ${ids}. See: npm run clickhouse -- use`,
  );
}

/** What needs rows of events, and is not made for ClickHouse. */
async function checkElsewhere(on: Queryable, { name, from, until }: Month, now: number): Promise<void> {
  const [found] = await query<{ replays: number; visits: number; erasures: number; splits: number }>(
    on,
    sql`select (select count(*)::int from replay_sessions
                 where first_at < ${sql.time(until)} and last_at >= ${sql.time(from)}) as replays,
               (select count(*)::int from sessions
                 where first_ts < ${sql.time(until)} and last_ts >= ${sql.time(now - dayMs)}) as visits,
               (select count(*)::int from privacy_requests where kind = 'erase' and state in ('waiting', 'sweeping')) as erasures,
               (select count(*)::int from person_splits where done_at is null) as splits`,
  );
  const { replays = 0, visits = 0, erasures = 0, splits = 0 } = found ?? {};
  if (replays > 0)
    throw refused(`Session recordings of ${name} are stored (${replays}). Delete them first, or let them expire.`);
  if (visits > 0) throw refused(`Visits that began by the end of ${name} are still under way (${visits}).`);
  if (erasures > 0) throw refused(`People are being erased (${erasures}). Try again when that is done.`);
  if (splits > 0) throw refused(`IDs are being split (${splits}). Try again when that is done.`);
}

/** Nothing of it waits. Looks at little, so that it can be repeated while nobody writes to the month, and nobody seals. @throws AppError `conflict` */
export async function checkStill(on: Queryable, month: Month): Promise<void> {
  const { from, until } = month;
  const { shipped, sending, caughtUpAt } = await readState(on);
  // A value instead of a subquery, so that the index by epochs is used.
  const sealed = await sealedEpoch(on);
  const inMonth = sql`ts >= ${sql.time(from)} and ts < ${sql.time(until)}`;
  const [found] = await query<{ late: boolean; unsealed: boolean; stale: boolean }>(
    on,
    sql`select exists (select from events where ${inMonth} and epoch > ${shipped}) as late,
               exists (select from events where ${inMonth} and epoch > ${sealed}) as unsealed,
               exists (select from stale_units where kind = 1 and unit >= ${from / dayMs} and unit < ${until / dayMs}) as stale`,
  );
  if (caughtUpAt === null || sending !== null || found?.late !== false || (await isChanging(on, null)))
    throw refused('Events or changes wait to be copied. Try again in a moment.');
  if (found.unsealed || found.stale) throw refused(`Columns of ${month.name} are being made. Try again in a minute.`);
}

/** Its columns are those of its events. Reads all of them: what changes later is marked. @throws AppError `conflict` */
export async function checkColumns(on: Queryable, { from, until }: Month): Promise<void> {
  const [other] = await query<{ project: number; day: number }>(
    on,
    sql`select coalesce(sealed.project_id, stored.project_id) as project, coalesce(sealed.unit, stored.day) as day
          from (select project_id, unit, sum(rows) as rows, bool_and(packed_bits is not null or rare = '{}') as is_whole,
                       bool_and(property_rows is not null) as is_counted
                  from chunks where kind = 1 and unit >= ${from / dayMs} and unit < ${until / dayMs} group by 1, 2) as sealed
          full join (select project_id, (ts at time zone 'UTC')::date - date '1970-01-01' as day, count(*) as rows
                       from events where ts >= ${sql.time(from)} and ts < ${sql.time(until)} group by 1, 2) as stored
            on stored.project_id = sealed.project_id and stored.day = sealed.unit
         where sealed.rows is distinct from stored.rows or not sealed.is_whole or not sealed.is_counted
         order by 1, 2 limit 1`,
  );
  if (other === undefined) return;
  throw refused(
    `The columns of project ${other.project} on ${formatDate(other.day)} are not those of its events. See: npm run verify`,
  );
}
