/** Numbers for event names: known ones come from memory, unknown ones are entered and committed on their own. */
import type { Pool } from 'pg';
import { createRecentOf } from '#src/kit/recent.ts';
import type { Numbers } from '#src/store/numbers.ts';
import type { FinishedEvent } from './contract.ts';
import * as queries from './queries.ts';

export interface NameNumbers {
  /** The number of each event's name. */
  of(batch: readonly FinishedEvent[]): Promise<number[]>;
}

const REMEMBERED_NAMES = 20_000;

export function createNameNumbers(pool: Pool, numbers: Numbers): NameNumbers {
  const names = createRecentOf<number>(REMEMBERED_NAMES);

  async function of(batch: readonly FinishedEvent[]): Promise<number[]> {
    const found = batch.map(({ projectId, event }) => names.get(projectId, event));
    if (!found.includes(undefined)) return found as number[];
    await learn(batch.filter((_, index) => found[index] === undefined));
    return batch.map(({ projectId, event }, index) => {
      const number = found[index] ?? names.get(projectId, event);
      if (number === undefined) throw new Error('event name missing from the dictionary');
      return number;
    });
  }

  async function learn(events: readonly FinishedEvent[]): Promise<void> {
    const missing = new Map<number, Map<string, number>>();
    for (const { projectId, event, receivedAt } of events) {
      const own = missing.get(projectId) ?? new Map<string, number>();
      missing.set(projectId, own.set(event, receivedAt));
    }
    for (const [projectId, seen] of missing) {
      const put = (rows: queries.NumberedName[]) => {
        for (const { name, number } of rows) {
          names.set(projectId, name, number);
          seen.delete(name);
        }
      };
      put(await queries.findNames(pool, projectId, [...seen.keys()]));
      if (seen.size === 0) continue;
      const supply = await numbers.reserve(projectId, 'event_name', seen.size);
      const wanted = [...seen].map(([name, at]) => ({ name, number: supply.next(), at }));
      put(await queries.enterNames(pool, projectId, wanted));
      if (seen.size > 0) put(await queries.findNames(pool, projectId, [...seen.keys()])); // entered by another process
    }
  }

  return { of };
}
