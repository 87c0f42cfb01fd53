/**
 * Exceptions that wait to be grouped into issues (errors/). They are noted with the event and taken off the list with what is counted of them, so
 * each is grouped exactly once, also when a process ends in between.
 */
import type { JsonObject } from '#src/kit/json.ts';
import type { PreparedStatement } from '#src/store/message.ts';
import { type Queryable, query, sql } from '#src/store/sql.ts';
import { groupKinds } from './contract.ts';

export const EXCEPTION = '$exception';

/** Channel that hears of commits with exceptions; the notices are empty. */
export const exceptionsChannel = 'luneta_exceptions';

interface StoredEvent {
  projectId: number;
  event: { event: string; ts: number; uuid: string };
}

/** The statements that note the exceptions of a batch, for its transaction; none without any. */
export function exceptionStatements(events: readonly StoredEvent[]): PreparedStatement[] {
  const exceptions = events.filter(({ event }) => event.event === EXCEPTION);
  if (exceptions.length === 0) return [];
  return [
    {
      name: 'exceptions-add',
      text: `insert into new_exceptions (project_id, ts, uuid)
             select * from unnest($1::int[], $2::timestamptz[], $3::uuid[])`,
      values: [
        exceptions.map(({ projectId }) => projectId),
        exceptions.map(({ event }) => new Date(event.ts).toISOString()),
        exceptions.map(({ event }) => event.uuid),
      ],
    },
    { text: `notify ${exceptionsChannel}` },
  ];
}

/** A stored exception, with what issues are made of. */
export interface StoredException {
  projectId: number;
  ts: number;
  uuid: string;
  receivedAt: number;
  /** distinct_ids.number. */
  distinctId: number;
  /** sessions.id; null: none. */
  session: number | null;
  properties: JsonObject;
}

/**
 * Takes up to `limit` exceptions off the list, in the transaction that groups them; those of erased people are not among them.
 * @returns `taken`: how many were on the list
 */
export async function takeExceptions(
  on: Queryable,
  limit: number,
): Promise<{ taken: number; exceptions: StoredException[] }> {
  const taken = await query<{ project_id: number; ts: number; uuid: string }>(
    on,
    sql`delete from new_exceptions
         where id = any(array(select id from new_exceptions order by id limit ${limit} for update skip locked))
        returning project_id, ts, uuid`,
  );
  if (taken.length === 0) return { taken: 0, exceptions: [] };
  const exceptions = await query<StoredException>(
    on,
    sql`select event.project_id as "projectId", event.ts, event.uuid, event.received_at as "receivedAt",
               event.distinct_id as "distinctId", event.session_id as session,
               jsonb_strip_nulls(jsonb_build_object('$app_version', device.properties -> '$app_version'))
                 || coalesce(event.properties, '{}') as properties
          from unnest(${taken.map((each) => each.project_id)}::int[],
                      ${taken.map((each) => new Date(each.ts).toISOString())}::timestamptz[],
                      ${taken.map((each) => each.uuid)}::uuid[]) as noted (project_id, ts, uuid)
          join events as event
            on event.project_id = noted.project_id and event.ts = noted.ts and event.uuid = noted.uuid
          left join property_groups as device
            on device.project_id = event.project_id and device.kind = ${groupKinds.device}::smallint and device.number = event.device
         order by event.project_id, event.ts, event.uuid`,
  );
  return { taken: taken.length, exceptions };
}
