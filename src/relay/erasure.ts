/** The end of what requests say of someone, while they wait for the upstream or lie with those that it refused. */
import type { Client } from 'pg';
import type { ForwardRequest } from './contract.ts';

export interface ErasureOfQueued {
  projectId: number;
  /** Requests received later belong to a new person. */
  until: number;
  /** The request without erased people; null when nothing remains. The same object when it has none of them. */
  rewrite(request: ForwardRequest): Promise<ForwardRequest | null>;
  signal?: AbortSignal | undefined;
}

interface Row extends Omit<ForwardRequest, 'body'> {
  day: string;
  id: string;
  body: Buffer;
}

const PAGE = 100;

/** How many requests were deleted or changed; nothing for none. May be cut off, and run again. @throws what `signal` was aborted with */
export async function eraseQueued(
  client: Client,
  { projectId, until, rewrite, signal }: ErasureOfQueued,
): Promise<Record<string, number>> {
  let changed = 0;
  for (let last: Pick<Row, 'day' | 'id'> = { day: '-infinity', id: '0' }; ; ) {
    signal?.throwIfAborted();
    const { rows } = await client.query<Row>(
      `select day::text as day, id, method, path, headers, body, project_id as "projectId", received_at as "receivedAt"
         from relay_queue
        where (day, id) > ($1::date, $2::bigint) and (project_id = $3 or project_id is null) and received_at <= $4
        order by day, id limit $5`,
      [last.day, last.id, projectId, new Date(until), PAGE],
    );
    for (const { day, id, ...request } of rows) {
      const left = await rewrite(request);
      if (left === request) continue;
      changed++;
      if (left === null) await client.query('delete from relay_queue where day = $1::date and id = $2', [day, id]);
      else {
        await client.query(
          'update relay_queue set method = $3, path = $4, headers = $5, body = $6 where day = $1::date and id = $2',
          [day, id, left.method, left.path, JSON.stringify(left.headers), Buffer.from(left.body)],
        );
      }
    }
    if (rows.length < PAGE) return changed === 0 ? {} : { relay_queue: changed };
    last = rows.at(-1) as Row;
  }
}
