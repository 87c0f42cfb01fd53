/** Numbers of events' names: given once, so they are remembered. */
import type { ClientBase } from 'pg';
import { createRecent } from '#src/kit/recent.ts';
import { query, sql } from '#src/store/sql.ts';

export interface EventNames {
  /** Numbers of those names that the project knows. */
  numbers(client: ClientBase, projectId: number, names: readonly string[]): Promise<number[]>;
  /** Numbers of all names that are the project's own: those of the clients begin with `$`. */
  ownNumbers(client: ClientBase, projectId: number): Promise<number[]>;
}

const REMEMBERED = 10_000;

export function createEventNames(): EventNames {
  const known = createRecent<string, number>(REMEMBERED);
  return {
    async numbers(client, projectId, names) {
      const missing = names.filter((name) => known.get(`${projectId} ${name}`) === undefined);
      if (missing.length > 0) {
        const rows = await query<{ name: string; number: number }>(
          client,
          sql`select name, number from event_names where project_id = ${projectId} and name = any(${missing}::text[])`,
        );
        for (const { name, number } of rows) known.set(`${projectId} ${name}`, number);
      }
      return names.flatMap((name) => known.get(`${projectId} ${name}`) ?? []);
    },
    async ownNumbers(client, projectId) {
      const rows = await query<{ number: number }>(
        client,
        sql`select number from event_names where project_id = ${projectId} and not starts_with(name, '$')`,
      );
      return rows.map(({ number }) => number);
    },
  };
}
