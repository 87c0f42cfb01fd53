/** How far copying to ClickHouse is. */
import type { ClickhouseStatus } from '#src/clickhouse/contract.ts';
import { missing } from '#views/words/format.ts';
import { statusWords } from '#views/words/status.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Facts, Section } from './Facts.tsx';

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
    facts.push([part.dropped, `${format.number(count)} (${span})`]);
  }
  if (lost.length > 0) facts.push([part.lost, lost.join(', ')]);
  // Of lost months it says no more.
  if (error !== null && lost.length === 0)
    facts.push([part.failed, `${format.dayMoment(errorAt ?? 0, timeZone)}: ${error}`]);
  return (
    <Section id="clickhouse" title="ClickHouse">
      <Facts facts={facts} />
    </Section>
  );
}
