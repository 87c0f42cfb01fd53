import { eventMarks } from '#src/events/contract.ts';
import { type CountedEvent, countsStatement } from '#src/events/counts.ts';

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
/** The rows that are added. */
const rowsOf = (events: CountedEvent[]) => {
  const columns = countsStatement(events).values as unknown[][];
  return (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]));
};

describe('countsStatement', () => {
  it('sums up by project, name and quarter hour, people and bots apart, in one order', () => {
    const rows = rowsOf([
      { projectId: 2, name: 1, ts: at('10:14:59.999'), marks: 0 },
      { projectId: 1, name: 7, ts: at('10:15:00'), marks: eventMarks.bot | eventMarks.late },
      { projectId: 1, name: 7, ts: at('10:00:00'), marks: 0 },
      { projectId: 1, name: 3, ts: at('10:29:59'), marks: eventMarks.personless },
      { projectId: 1, name: 7, ts: at('10:16:00'), marks: 0 },
      { projectId: 1, name: 7, ts: at('10:17:00'), marks: 0 },
    ]);
    expect(rows).toEqual([
      [1, 3, '2026-11-20T10:15:00.000Z', 1, 0],
      [1, 7, '2026-11-20T10:00:00.000Z', 1, 0],
      [1, 7, '2026-11-20T10:15:00.000Z', 2, 1],
      [2, 1, '2026-11-20T10:00:00.000Z', 1, 0],
    ]);
  });

  it('counts times before 1970 in the quarter hour that they lie in', () => {
    expect(rowsOf([{ projectId: 1, name: 1, ts: -1, marks: 0 }])[0]?.[2]).toBe('1969-12-31T23:45:00.000Z');
  });
});
