/**
 * When the first event of a project happened: asked beside the question that wants it, on another connection, so that neither waits for the other.
 */
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import * as queries from '../storage/chunk-sql.ts';

export interface FirstEvents {
  /** Time of it in ms, or null before it. @throws AppError `timeout` */
  of(projectId: number): Promise<number | null>;
}

export function createFirstEvents(db: Knex): FirstEvents {
  /** By project, what all who ask in the same turn are told: it is read after they asked. */
  const asked = new Map<number, Promise<number | null>>();

  async function read(projectId: number): Promise<number | null> {
    await setImmediate(); // the question first, and the others of this turn
    asked.delete(projectId);
    return queries.firstEvent(db, projectId);
  }

  return {
    of(projectId) {
      const told = asked.get(projectId) ?? read(projectId);
      asked.set(projectId, told);
      return told;
    },
  };
}
