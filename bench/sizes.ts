/** Bytes on disk by table, per stored event; the uuid ledger separately, which always has one to two weeks. */

interface Size {
  name: string;
  heap: number;
  indexes: number;
}

/** @param query on the database that was filled; it is vacuumed first */
export async function reportSizes(query: (text: string) => Promise<unknown[]>): Promise<void> {
  await query('vacuum analyze');
  const [counted] = (await query('select count(*)::float8 as events from events')) as { events: number }[];
  const rows = (await query(
    `select regexp_replace(c.relname, '_[0-9_]+$|_default$', '') as name, sum(pg_table_size(c.oid))::float8 as heap,
            sum(pg_indexes_size(c.oid))::float8 as indexes
       from pg_class c
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not in ('bare', 'plain_events')
      group by 1
     having sum(pg_total_relation_size(c.oid)) > 100000
      order by sum(pg_total_relation_size(c.oid)) desc`,
  )) as Size[];
  const events = counted?.events ?? 0;
  const perEvent = (bytes: number) => (bytes / events).toFixed(1);
  const sum = (list: Size[]) => perEvent(list.reduce((all, row) => all + row.heap + row.indexes, 0));
  console.log(
    `on disk: ${events} events, ${sum(rows.filter((row) => row.name !== 'event_uuids'))} B an event without the uuid ledger, ${sum(rows)} B with it`,
  );
  for (const row of rows) console.log(`  ${row.name}: ${perEvent(row.heap)} B + indexes ${perEvent(row.indexes)} B`);
}
