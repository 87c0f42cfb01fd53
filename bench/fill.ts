/**
 * Fills a database with the sample shop's ninety days many times over, by SQL: the same course of days, hours and visits, by people who
 * come again and again (the most faithful hundreds of times), on devices and pages and from sources in as many variants as large sites
 * have. Visits and rows lie in the order of their time, as they would have come.
 */
type Query = (text: string) => Promise<unknown[]>;

export interface FillOptions {
  /** The project whose events are the story; emptied and filled. */
  project: number;
  /** Those that get the rest, and their share of all events. */
  others: readonly { project: number; share: number }[];
  events: number;
  /** Persons of the project; others have as many in proportion. */
  people: number;
  /** Each event has a property `order_ref` of so many values, and one in 10,000 a property `rare`. Absent: none has. */
  values?: number | undefined;
}

/** How many different groups there are to be, by kind: columns of events and of visits that hold their numbers. */
const variants = [
  {
    kind: 1,
    wanted: 900,
    columns: ['page', 'entry_page', 'exit_page'],
    change: `'$pathname', properties ->> '$pathname' || '/' || v`,
  },
  { kind: 2, wanted: 20_000, columns: ['device'], change: `'$viewport_width', 300 + v, '$viewport_height', 900 - v` },
  { kind: 3, wanted: 1_500, columns: ['source'], change: `'$session_entry_utm_content', 'variant ' || v` },
  { kind: 4, wanted: 100, columns: ['geo'], change: `'$geoip_country_code', chr(65 + v % 26) || chr(65 + v / 4 % 26)` },
];

/** Every so many persons one was merged into the person before. */
const MERGED_EVERY = 10;

/** @param query on a connection without time limits */
export async function fill(query: Query, { project, others, events, people, values }: FillOptions): Promise<void> {
  const number = async (text: string) => Number(((await query(text)) as { n: number | string }[])[0]?.n ?? 0);
  await query(`
    set synchronous_commit = off;
    set work_mem = '256MB';
    set maintenance_work_mem = '512MB';
    create unlogged table seed_events as
      select *, floor(extract(epoch from ts) / 86400)::int as day from events where project_id = ${project};
    create unlogged table seed_sessions as select * from sessions where project_id = ${project};
    analyze seed_events, seed_sessions;
    truncate events, sessions, event_counts, event_uuids, persons, distinct_ids, person_overrides`);
  const count = Math.max(1, Math.round(events / (await number('select count(*) as n from seed_events'))));
  const left = others.reduce((sum, { share }) => sum + share, 0);
  const owners = [...others, { project, share: 1 - left }];
  await query('create unlogged table copies (copy int, project int, people int, ago interval)');
  let at = 0;
  for (const [place, { project: owner, share }] of owners.entries()) {
    const end = place === owners.length - 1 ? count : at + Math.round(count * share);
    const persons = Math.max(1, Math.round((people * share) / (1 - left)));
    // Within half an hour of each other.
    await query(`
      insert into copies select copy, ${owner}, ${persons}, interval '1 second' * (copy * 37 % 1800)
        from generate_series(${at}, ${end - 1}) as copy`);
    if (owner !== project) await query(sameNamesSql(project, owner));
    await query(peopleSql(owner, persons));
    at = end;
  }
  const steps = new Map<string, { step: number; times: number }>();
  for (const { kind, wanted, columns, change } of variants) {
    const step = await number(
      `select max(number) as n from property_groups where project_id = ${project} and kind = ${kind}`,
    );
    if (step === 0) continue;
    const times = Math.max(1, Math.min(Math.round(wanted / step), count));
    for (const { project: owner } of owners) await query(variantsSql(owner, kind, step, times, change));
    for (const column of columns) steps.set(column, { step, times });
  }
  const varied = (column: string) => {
    const { step, times } = steps.get(column) ?? { step: 0, times: 1 };
    return `${column} + copy % ${times} * ${step}`;
  };
  await query(visitsSql(varied));
  await fillEvents(query, varied, values);
  await query(`
    drop table seed_events, seed_sessions, copies, visits;
    update number_blocks as b set next = 1 + coalesce(
      case when kind = 'person' then (select max(number) from persons as p where p.project_id = b.project_id)
           when kind = 'distinct_id' then (select max(number) from distinct_ids as d where d.project_id = b.project_id)
           when kind like 'group:%' then (select max(number) from property_groups as g where g.project_id = b.project_id) end, next);
    select setval(pg_get_serial_sequence('sessions', 'id'), (select max(id) from sessions))`);
  await query('vacuum analyze');
  await query('checkpoint');
}

function sameNamesSql(from: number, to: number): string {
  return `
    insert into event_names (project_id, number, name, first_seen, last_seen)
    select ${to}, number, name, first_seen, last_seen from event_names where project_id = ${from};
    insert into property_groups (project_id, kind, number, hash, properties)
    select ${to}, kind, number, hash, properties from property_groups where project_id = ${from}`;
}

function peopleSql(project: number, people: number): string {
  return `
    insert into persons (project_id, number, uuid, properties, merged, identified, has_profile, created_at)
    select ${project}, n, gen_random_uuid(),
           jsonb_build_object('email', 'p' || n || '@example.com', 'plan', (array['free', 'basic', 'pro'])[n % 3 + 1], 'seats', n % 50),
           n % ${MERGED_EVERY} = 0, n % 4 = 1, true, '2026-01-01'
      from generate_series(1, ${people}) as n;
    insert into distinct_ids (project_id, distinct_id, number, person)
    select ${project}, 'person-' || n, n, case when n % ${MERGED_EVERY} = 0 then n - 1 else n end from generate_series(1, ${people}) as n;
    insert into person_overrides (project_id, old_person, new_person, merged_at)
    select ${project}, n, n - 1, '2026-01-01' from generate_series(${MERGED_EVERY}, ${people}, ${MERGED_EVERY}) as n`;
}

function variantsSql(project: number, kind: number, step: number, times: number, change: string): string {
  return `
    insert into property_groups (project_id, kind, number, hash, properties)
    select project_id, kind, number + v * ${step}, decode(md5(hash::text || v), 'hex'), properties || jsonb_build_object(${change})
      from property_groups, generate_series(1, ${times - 1}) as v
     where project_id = ${project} and kind = ${kind} and number <= ${step}`;
}

/** Some come often: the number of a person is the square of a random number. */
function personOf(random: string): string {
  return `1 + floor(people * power((hashint8extended(${random}, 1) & 9007199254740991)::float8 / 9007199254740992, 2))::int`;
}

function visitsSql(varied: (column: string) => string): string {
  return `
    create unlogged table visits as
    select copy, s.id as old, project, people, row_number() over (order by first_ts - ago, copy) as id, 0 as person
      from seed_sessions as s, copies;
    update visits set person = ${personOf('id')};
    create index on visits (copy, old);
    analyze visits;
    insert into sessions (project_id, uuid, id, first_ts, first_uuid, last_ts, person, distinct_id, device, geo, source,
                          entry_ts, entry_uuid, entry_page, exit_ts, exit_uuid, exit_page, views, screens, autocaptures, events, bot)
    overriding system value
    select v.project, gen_random_uuid(), v.id, first_ts - ago, first_uuid, last_ts - ago, v.person, v.person, ${varied('device')}, ${varied('geo')},
           ${varied('source')}, entry_ts - ago, entry_uuid, ${varied('entry_page')}, exit_ts - ago, exit_uuid,
           ${varied('exit_page')}, views, screens, autocaptures, events, bot
      from visits as v join copies using (copy) join seed_sessions as s on s.id = v.old
     order by v.id`;
}

/** Day by day and without the indexes, which are made afterwards. */
async function fillEvents(query: Query, varied: (column: string) => string, values: number | undefined): Promise<void> {
  const properties = values === undefined ? 'properties' : withValues(values);
  const indexes = (await query(
    `select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as made from pg_indexes
      where schemaname = 'public' and tablename = 'events'`,
  )) as { name: string; made: string }[];
  await query(`drop index ${indexes.map(({ name }) => name).join()}`);
  const days = (await query('select distinct day from seed_events order by 1')) as { day: number }[];
  for (const { day } of days) {
    await query(`
      insert into events (ts, received_at, session_id, uuid, window_id, device_id, project_id, person, distinct_id, event, page, device,
                          source, geo, flags, elements, epoch, marks, properties)
      select ts - ago, received_at - ago, id, gen_random_uuid(), window_id, device_id, project, n, n, event, ${varied('page')},
             ${varied('device')}, ${varied('source')}, ${varied('geo')}, flags, elements, epoch, marks, ${properties}
        from (select e.*, c.*, v.id, coalesce(v.person, ${personOf('c.copy * 100000::bigint + e.person').replace('people', 'c.people')}) as n
                from seed_events as e cross join copies as c left join visits as v on v.copy = c.copy and v.old = e.session_id
               where day = ${day}) as all_of_them
       order by ts - ago`);
  }
  for (const { made } of indexes) await query(made);
  await query(`
    insert into event_counts (project_id, event, quarter, events, bots)
    select project_id, event, date_bin('15 minutes', ts, 'epoch'), count(*) filter (where marks & 1 = 0), count(*) filter (where marks & 1 = 1)
      from events group by 1, 2, 3`);
}

/** Properties with one of many values, and a rare one. */
function withValues(values: number): string {
  const drawn = '(hashint8extended(copy * 1000000::bigint + extract(epoch from ts)::bigint, 7) & 9007199254740991)';
  return `coalesce(properties, '{}') || jsonb_build_object('order_ref', 'order ' || ${drawn} % ${values})
            || case when ${drawn} % 10000 = 0 then '{"rare": "yes"}'::jsonb else '{}' end`;
}
