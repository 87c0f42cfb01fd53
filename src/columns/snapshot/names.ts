/** Numbers of events' names: given once, so they are remembered. */
import type { ClientBase } from 'pg';
import { createRecent } from '#src/kit/recent.ts';
import { query, sql } from '#src/store/sql.ts';
import type { Snapshot } from './snapshots.ts';

/** Snapshot and project of the look-up. */
export interface NameParts {
  client: ClientBase;
  projectId: number;
  /** Queries in one snapshot share look-ups. Absent: the snapshot is not shared. */
  once?: Snapshot['once'];
}

export interface EventNames {
  /** Numbers of those names that the project knows. */
  numbers(parts: NameParts, names: readonly string[]): Promise<number[]>;
  /** The same by name. */
  byName(parts: NameParts, names: readonly string[]): Promise<Map<string, number>>;
  /** Numbers of all names that are the project's own: those of the clients begin with `$`. */
  ownNumbers(parts: NameParts): Promise<number[]>;
}

const REMEMBERED = 10_000;

export function createEventNames(): EventNames {
  const known = createRecent<string, number>(REMEMBERED);
  /** Looks up names that the project has. */
  async function look({ client, projectId }: NameParts, names: readonly string[]): Promise<Map<string, number>> {
    const rows = await query<{ name: string; number: number }>(
      client,
      sql`select name, number from event_names where project_id = ${projectId} and name = any(${names}::text[])`,
    );
    for (const { name, number } of rows) known.set(`${projectId} ${name}`, number);
    return new Map(rows.map(({ name, number }) => [name, number]));
  }

  async function byName(parts: NameParts, names: readonly string[]): Promise<Map<string, number>> {
    const { projectId, once = alone } = parts;
    const found = names.map((name) => [name, known.get(`${projectId} ${name}`)] as const);
    const missing = found.flatMap(([name, number]) => (number === undefined ? name : []));
    const looked =
      missing.length === 0 ? null : await once(`event names ${JSON.stringify(missing)}`, () => look(parts, missing));
    return new Map(
      found.flatMap(([name, seen]) => {
        const number = seen ?? looked?.get(name);
        return number === undefined ? [] : [[name, number]];
      }),
    );
  }

  return {
    byName,
    async numbers(parts, names) {
      return [...(await byName(parts, names)).values()];
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

const alone: Snapshot['once'] = (_, make) => make();
