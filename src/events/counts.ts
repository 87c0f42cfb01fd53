/** Events per name and quarter hour, people and bots apart: what unfiltered trends are answered from. Written with the events. */
import { quarterMs } from '#src/kit/zone.ts';
import type { PreparedStatement } from '#src/store/message.ts';
import { eventMarks } from './contract.ts';

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
 * The statement that adds the events to the counts of their quarter hours. Every writer wants the rows of the running quarter hour, so it is
 * sent in one message with the commit: they are locked while the commit is written, and no longer.
 */
export function countsStatement(events: Iterable<CountedEvent>): PreparedStatement {
  const counts = new Map<string, Count>();
  let last: Count | null = null;
  for (const { projectId, name, ts, marks } of events) {
    const quarter = Math.floor(ts / quarterMs) * quarterMs;
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
  return {
    name: 'event-counts-add',
    text: ADD,
    values: [
      rows.map((row) => row.projectId),
      rows.map((row) => row.name),
      rows.map((row) => new Date(row.quarter).toISOString()),
      rows.map((row) => row.events),
      rows.map((row) => row.bots),
    ],
  };
}

const ADD = `
  insert into event_counts as c (project_id, event, quarter, events, bots)
  select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::int[], $5::int[])
  on conflict (project_id, event, quarter) do update set
    events = c.events + excluded.events,
    bots = c.bots + excluded.bots`;
