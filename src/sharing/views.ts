/** Views of shared pages: counted in memory, and added to those stored once a second. A crash loses at most the last second of them. */
import type { Deps } from '#src/store/deps.ts';
import * as queries from './queries.ts';

export interface ShareViews {
  add(link: Pick<queries.LinkRow, 'id' | 'project_id'>): void;
  /** Stores what was counted until now. @throws while the database is away; nothing is lost by that */
  write(): Promise<void>;
}

const EVERY_MS = 1_000;

export function createShareViews({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): ShareViews {
  let counted = new Map<string, queries.CountedViews>();
  let isPlanned = false;
  let writing: Promise<void> = Promise.resolve();

  function count(more: queries.CountedViews): void {
    const key = `${more.link} ${more.day}`;
    const views = (counted.get(key)?.views ?? 0) + more.views;
    counted.set(key, { ...more, views });
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      write().catch((error: unknown) => log.error({ err: error }, 'failed to store views of shared pages; retrying'));
    }, EVERY_MS).unref();
  }

  async function writeCounted(): Promise<void> {
    const given = [...counted.values()];
    if (given.length === 0) return;
    counted = new Map();
    try {
      await queries.addViews(db, given);
    } catch (error) {
      for (const each of given) count(each);
      throw error;
    }
  }

  function write(): Promise<void> {
    writing = writing.catch(() => undefined).then(writeCounted); // its callers have the rejection
    return writing;
  }

  return {
    add({ id, project_id }) {
      count({ link: id, project: project_id, day: new Date(clock.now()).toISOString().slice(0, 10), views: 1 });
    },
    write,
  };
}
