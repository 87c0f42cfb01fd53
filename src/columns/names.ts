/** Numbers of events' names: given once, so they are remembered. */
import type { ClientBase } from 'pg';
import { createRecent } from '#src/kit/recent.ts';
import { query, sql } from '#src/store/sql.ts';
import type { Moment } from './moments.ts';

/** When and of whom it is asked. */
export interface NameParts {
  client: ClientBase;
  projectId: number;
  /** Questions at one moment ask about the same names: none has to be looked for twice. Absent: nobody else asks at it. */
  once?: Moment['once'];
}

export interface EventNames {
  /** Numbers of those names that the project knows. */
  numbers(parts: NameParts, names: readonly string[]): Promise<number[]>;
  /** Numbers of all names that are the project's own: those of the clients begin with `$`. */
  ownNumbers(parts: NameParts): Promise<number[]>;
}

const REMEMBERED = 10_000;

export function createEventNames(): EventNames {
  const known = createRecent<string, number>(REMEMBERED);
  /** Of those that the project knows by now. */
  async function look({ client, projectId }: NameParts, names: readonly string[]): Promise<Map<string, number>> {
    const rows = await query<{ name: string; number: number }>(
      client,
      sql`select name, number from event_names where project_id = ${projectId} and name = any(${names}::text[])`,
    );
    for (const { name, number } of rows) known.set(`${projectId} ${name}`, number);
    return new Map(rows.map(({ name, number }) => [name, number]));
  }

  return {
    async numbers(parts, names) {
      const { projectId, once = alone } = parts;
      const found = names.map((name) => known.get(`${projectId} ${name}`));
      const missing = names.filter((_, place) => found[place] === undefined);
      if (missing.length === 0) return found.flatMap((number) => number ?? []);
      const looked = await once(`event names ${JSON.stringify(missing)}`, () => look(parts, missing));
      return names.flatMap((name, place) => found[place] ?? looked.get(name) ?? []);
    },
    ownNumbers({ client, projectId, once = alone }) {
      return once('own event names', async () => {
        const rows = await query<{ number: number }>(
          client,
          sql`select number from event_names where project_id = ${projectId} and not starts_with(name, '$')`,
        );
        return rows.map(({ number }) => number);
      });
    },
  };
}

const alone: Moment['once'] = (_, make) => make();
