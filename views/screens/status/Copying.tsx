/** How far copying to ClickHouse is. */
import type { ClickhouseStatus } from '#src/clickhouse/contract.ts';
import { missing } from '#views/words/format.ts';
import { statusWords } from '#views/words/status.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Status.module.css';

export function Copying({ status, timeZone }: { status: ClickhouseStatus; timeZone: string }) {
  const { format } = useWords();
  const { clickhouse: part } = usePart(statusWords);
  const { events, backlog, isMore, caughtUpAt, error, errorAt, projects, dropped } = status;
  const [first, last] = [dropped[0], dropped.at(-1)];
  const lost = dropped.filter(({ isLost }) => isLost).map(({ month }) => month);
  const waiting = format.number(backlog);
  const facts: [string, string][] = [
    [part.copied, format.number(events)],
    [part.waiting, isMore ? part.atLeast(waiting) : waiting],
    [part.until, caughtUpAt === null ? missing : format.dayMoment(caughtUpAt, timeZone)],
    [part.projects, format.number(projects)],
  ];
  if (first !== undefined && last !== undefined) {
    const span = first === last ? first.month : `${first.month} – ${last.month}`;
    const count = dropped.reduce((sum, each) => sum + each.events, 0);
    facts.push([part.dropped, `${span} (${format.number(count)})`]);
  }
  if (lost.length > 0) facts.push([part.lost, lost.join(', ')]);
  if (error !== null) facts.push([part.failed, `${format.dayMoment(errorAt ?? 0, timeZone)}: ${error}`]);
  return (
    <section className={css['section']} aria-labelledby="clickhouse">
      <h2 id="clickhouse">ClickHouse</h2>
      <dl className={css['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
