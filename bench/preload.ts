/**
 * Fills a database with events of real shapes, fast: what is stored becomes many copies of itself by SQL, further and further back
 * over ninety days, with uuids and visits of their own. Each copy belongs to one of five sets of people, so that people come again.
 */
const DAYS = 90;
const SETS_OF_PEOPLE = 5;

/**
 * @param query on a connection without time limits
 * @param wanted events to be stored in the end, those there are included
 */
export async function preload(query: (text: string) => Promise<unknown[]>, wanted: number): Promise<void> {
  const number = async (text: string) => Number(((await query(text)) as { n: number | string }[])[0]?.n ?? 0);
  const seed = await number('select count(*) as n from events');
  const copies = Math.ceil((wanted - seed) / seed);
  if (copies <= 0) return;
  // Beyond what a running server has in hand.
  const people = await number(`select max(next) as n from number_blocks where kind = 'person'`);
  const ids = await number(`select max(next) as n from number_blocks where kind = 'distinct_id'`);
  const visits = 1 + (await number('select max(id) as n from sessions'));
  const week = await number('select max(week) as n from event_uuids');
  await query(`
    set synchronous_commit = off;
    create table seed_events as select * from events;
    create table seed_sessions as select * from sessions;
    create table seed_counts as select * from event_counts`);
  await query(peopleSql(people, ids));
  await makeMonths(query);
  for (let copy = 1; copy <= copies; copy++) {
    await query(copySql({ copy, back: (DAYS * copy) / copies, people, ids, visits, week }));
    if (copy % 10 === 0 || copy === copies) console.log(`${seed * (copy + 1)} events stored beforehand`);
  }
  await query(`
    drop table seed_events, seed_sessions, seed_counts;
    select setval(pg_get_serial_sequence('sessions', 'id'), ${visits * (copies + 1)})`);
  await query('vacuum analyze');
  await query('checkpoint');
}

/** More sets of the same people, under uuids and ids of their own; numbers go on behind them. */
function peopleSql(people: number, ids: number): string {
  const others = `generate_series(1, ${SETS_OF_PEOPLE - 1}) as other`;
  return `
    insert into persons (project_id, number, uuid, properties, property_stamps, merged, identified, has_profile, created_at)
    select project_id, number + other * ${people}, gen_random_uuid(), properties, property_stamps, merged, identified, has_profile,
           created_at
      from persons, ${others};
    insert into distinct_ids (project_id, distinct_id, number, person, joined_at)
    select project_id, distinct_id || '-' || other, number + other * ${ids}, person + other * ${people}, joined_at
      from distinct_ids, ${others};
    update number_blocks set next = next + ${SETS_OF_PEOPLE} * ${Math.max(people, ids)} where kind in ('person', 'distinct_id')`;
}

async function makeMonths(query: (text: string) => Promise<unknown[]>): Promise<void> {
  await query(`
    do $$
    declare month timestamptz;
    begin
      for month in select generate_series(date_trunc('month', min(ts) - interval '${DAYS + 1} days', 'UTC'), max(ts), '1 month') from seed_events loop
        execute format('create table if not exists events_%s partition of events for values from (%L) to (%L)',
          to_char(month at time zone 'UTC', 'YYYYMM'), month, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
      end loop;
    end $$`);
}

interface Copy {
  copy: number;
  /** Days back. */
  back: number;
  people: number;
  ids: number;
  visits: number;
  week: number;
}

function copySql({ copy, back, people, ids, visits, week }: Copy): string {
  const set = copy % SETS_OF_PEOPLE;
  const ago = `interval '${Math.round(back * 86_400)} seconds'`;
  // As in life: visits of other times, and uuids that nobody has.
  const visitOf = (column: string) => `${column} + ${copy} * ${visits}`;
  return `
    create temp table copied on commit drop as
    select ts - ${ago} as ts, received_at - ${ago} as received_at, ${visitOf('session_id')} as session_id, uuidv7(-${ago}) as uuid,
           window_id, device_id, project_id, person + ${set} * ${people} as person, distinct_id + ${set} * ${ids} as distinct_id,
           event, page, device, source, geo, flags, elements, epoch, marks, properties
      from seed_events;
    insert into events (ts, received_at, session_id, uuid, window_id, device_id, project_id, person, distinct_id, event, page, device,
                        source, geo, flags, elements, epoch, marks, properties)
    select * from copied;
    insert into event_uuids (project_id, uuid, week)
    select project_id, uuid, week
      from (select project_id, uuid, floor(extract(epoch from received_at) / 604800)::int as week from copied) as known
     where week = ${week};
    insert into sessions (project_id, uuid, id, first_ts, first_uuid, last_ts, person, distinct_id, device, geo, source,
                          entry_ts, entry_uuid, entry_page, exit_ts, exit_uuid, exit_page, views, screens, autocaptures, events, bot)
    overriding system value
    select project_id, uuidv7(-${ago}), ${visitOf('id')}, first_ts - ${ago}, first_uuid, last_ts - ${ago}, person + ${set} * ${people},
           distinct_id + ${set} * ${ids}, device, geo, source, entry_ts - ${ago}, entry_uuid, entry_page, exit_ts - ${ago}, exit_uuid,
           exit_page, views, screens, autocaptures, events, bot
      from seed_sessions;
    insert into event_counts as c (project_id, event, quarter, events, bots)
    select project_id, event, quarter, sum(events), sum(bots)
      from (select project_id, event, date_bin('15 minutes', quarter - ${ago}, 'epoch') as quarter, events, bots from seed_counts) as moved
     group by 1, 2, 3
    on conflict (project_id, event, quarter) do update set events = c.events + excluded.events, bots = c.bots + excluded.bots`;
}
