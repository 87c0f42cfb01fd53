/** Events per name and quarter hour, people and bots apart: what unfiltered trends are answered from. Written with the events. */
import { eventMarks } from './contract.ts';

const QUARTER_MS = 900_000;

export interface CountedEvent {
  projectId: number;
  /** Number of its name. */
  name: number;
  ts: number;
  marks: number;
}

interface Count {
  projectId: number;
  name: number;
  quarter: number;
  events: number;
  bots: number;
}

/**
 * The statement that adds the events to the counts of their quarter hours, as plain text: all of it is numbers. Every writer
 * wants the rows of the running quarter hour, so it is sent in one message with the commit: they are locked while the commit is written, and
 * no longer.
 */
export function countsSql(events: Iterable<CountedEvent>): string {
  const counts = new Map<string, Count>();
  let last: Count | null = null;
  for (const { projectId, name, ts, marks } of events) {
    const quarter = Math.floor(ts / QUARTER_MS) * QUARTER_MS;
    if (last === null || last.name !== name || last.quarter !== quarter || last.projectId !== projectId) {
      const key: string = `${projectId} ${name} ${quarter}`;
      last = counts.get(key) ?? { projectId, name, quarter, events: 0, bots: 0 };
      counts.set(key, last);
    }
    if (marks & eventMarks.bot) last.bots++;
    else last.events++;
  }
  // In one order everywhere, so that two writers never wait for each other in a circle.
  const rows = [...counts.values()].sort(
    (one, other) => one.projectId - other.projectId || one.name - other.name || one.quarter - other.quarter,
  );
  const values = rows.map(
    ({ projectId, name, quarter, events, bots }) =>
      `(${projectId}, ${name}, '${new Date(quarter).toISOString()}'::timestamptz, ${events}, ${bots})`,
  );
  return `
    insert into event_counts as c (project_id, event, quarter, events, bots)
    values ${values.join(', ')}
    on conflict (project_id, event, quarter) do update set
      events = c.events + excluded.events,
      bots = c.bots + excluded.bots`;
}
