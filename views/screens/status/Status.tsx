/** Status: how the installation itself is doing, for its operator. What should be looked at comes first. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { JobStatus } from '#src/jobs/contract.ts';
import type { RunningProcess } from '#src/processes/contract.ts';
import type { PartSize, ProjectSize, SlowQuestion, Status } from '#src/status/contract.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { frameQueries } from '#views/frame/queries.ts';
import { SettingsPage } from '#views/frame/SettingsPage.tsx';
import { ProxyNotice, useProxyProblem } from '#views/install/ProxyNotice.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { JobTable } from '#views/kit/JobTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { bytesText } from '#views/words/bytes.ts';
import type { Words } from '#views/words/en.ts';
import { type Format, missing } from '#views/words/format.ts';
import { ingestionWords } from '#views/words/ingestion.ts';
import { refusedWords } from '#views/words/refused.ts';
import { MINUS } from '#views/words/signs.ts';
import { statusWords } from '#views/words/status.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { Copying } from './Copying.tsx';
import { Facts, Section } from './Facts.tsx';
import css from './Status.module.css';

/** How often it is asked again while it is looked at. */
const EVERY_MS = 30_000;
const DAY_MS = 86_400_000;
/** Beyond ten years no date is said. */
const MAX_DAYS_LEFT = 3_650;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  return [
    ...frameQueries(trpc, props),
    { options: trpc.status.read.queryOptions(), critical: true },
    { options: trpc.proxies.problem.queryOptions(), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'status' })),
  ];
}

export function title(words: Words): string {
  return statusWords[words.language].title;
}

export function Screen() {
  const { words } = useWords();
  return (
    <SettingsPage tab="status">
      <Late fallback={<p className="dim">{words.regions.loading}</p>}>
        <Content />
      </Late>
    </SettingsPage>
  );
}

function Content() {
  const part = usePart(statusWords);
  const trpc = useTrpc();
  const { data: status } = useSuspenseQuery({ ...trpc.status.read.queryOptions(), refetchInterval: EVERY_MS });
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const { timeZone } = me;
  const isFine = useProxyProblem() === null && status.warnings.length === 0;
  return (
    <>
      <div role="status" className={css['warnings']}>
        {status.warnings.map((warning) => (
          <Callout key={warning} tone="warn">
            {part.warnings[warning]}
          </Callout>
        ))}
        <ProxyNotice />
        {isFine && <p className="dim">{part.fine}</p>}
      </div>
      <Explained asked={{ screen: 'status' }} timeZone={timeZone} />
      <Running status={status} timeZone={timeZone} />
      {status.processes.length > 1 && <Processes processes={status.processes} timeZone={timeZone} />}
      {status.clickhouse !== null && <Copying status={status.clickhouse} timeZone={timeZone} />}
      <Growth sizes={status.sizes} bytes={status.databaseBytes} />
      {status.disks.length > 0 && <Disks status={status} timeZone={timeZone} />}
      <Sizes projects={status.projects} />
      <Jobs jobs={status.jobs} timeZone={timeZone} />
      <Refused refused={status.refused} />
      <Slow slow={status.slow} timeZone={timeZone} />
      <p className={css['geo']}>{part.geo}</p>
    </>
  );
}

function Running({ status, timeZone }: { status: Status; timeZone: string }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  const { migrations, mail, spool, processes, connections } = status;
  const [first] = processes;
  const facts: [string, string][] = [
    [part.version, status.version],
    [part.node, status.node],
    [part.postgres, status.postgres],
    [
      part.migrations,
      part.migrationsOf(format.number(migrations.applied), format.number(migrations.known), migrations.last),
    ],
    [part.mail, mail.isSetUp && mail.from !== null ? part.mailFrom(mail.from) : part.mailOff],
  ];
  if (processes.length === 1 && first !== undefined) {
    facts.push([part.since, format.dayMoment(first.startedAt, timeZone)]);
    facts.push([part.memory, bytesText(first.rssBytes, format)]);
  }
  const { limit, refused, lastRefusedAt } = connections;
  const sentences = [
    ...(limit === null ? [] : [part.connectionsOf(format.number(limit))]),
    ...(lastRefusedAt === null
      ? []
      : [part.connectionsRefused(refused, format.number(refused), format.dayMoment(lastRefusedAt, timeZone))]),
  ];
  if (sentences.length > 0) facts.push([part.connections, sentences.join(' · ')]);
  if (spool !== null) {
    const waiting = part.spoolWaiting(format.number(spool.events), bytesText(spool.bytes, format));
    facts.push([part.spoolTitle, spool.events === 0 ? part.spoolNone : waiting]);
  }
  return (
    <Section id="running" title={part.running}>
      <Facts facts={facts} />
    </Section>
  );
}

function Processes({ processes, timeZone }: { processes: RunningProcess[]; timeZone: string }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  return (
    <Section id="processes" title={part.processes}>
      <DataTable
        columns={[
          { key: 'process', head: part.process },
          { key: 'host', head: part.host, wideOnly: true, className: 'mono' },
          { key: 'version', head: part.version, wideOnly: true, className: 'num' },
          { key: 'memory', head: part.memory, isFigure: true },
          { key: 'since', head: part.since, isFigure: true },
        ]}
        rows={processes.map(({ role, host, version, rssBytes, startedAt }, index) => ({
          // Two may have begun at the same moment on the same machine.
          key: `${startedAt} ${index}`,
          cells: {
            process: part.roles[role],
            host,
            version,
            memory: bytesText(rssBytes, format),
            since: format.dayMoment(startedAt, timeZone),
          },
        }))}
      />
    </Section>
  );
}

/** Size by kind of data, and its growth. */
function Growth({ sizes, bytes }: { sizes: PartSize[]; bytes: number }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  const perDay = sizes.every((size) => size.bytesPerDay !== null)
    ? sizes.reduce((sum, { bytesPerDay }) => sum + (bytesPerDay ?? 0), 0)
    : null;
  const all = bytesText(bytes, format);
  return (
    <Section id="growth" title={part.growth}>
      <p className={css['prose']}>
        {perDay === null ? part.growthUnknown(all) : part.growthText(all, changeText(perDay, format))}
      </p>
      <DataTable
        columns={[
          { key: 'part', head: part.part },
          { key: 'size', head: part.total, isFigure: true },
          { key: 'indexes', head: part.indexes, isFigure: true, wideOnly: true },
          { key: 'perDay', head: part.bytesPerDay, isFigure: true },
        ]}
        rows={sizes.map((size) => ({
          key: size.part,
          cells: {
            part: part.parts[size.part],
            size: bytesText(size.bytes, format),
            indexes: bytesText(size.indexBytes, format),
            perDay: size.bytesPerDay === null ? missing : changeText(size.bytesPerDay, format),
          },
        }))}
      />
    </Section>
  );
}

/** "+1.2 MB", "−300 kB". */
function changeText(bytes: number, format: Format): string {
  const sign = bytes === 0 ? '' : bytes > 0 ? '+' : MINUS;
  return `${sign}${bytesText(Math.abs(bytes), format)}`;
}

function Sizes({ projects }: { projects: ProjectSize[] }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  return (
    <Section id="database" title={part.database}>
      <p className={css['prose']}>{part.databaseText}</p>
      <DataTable
        bodyClassName="ph-no-capture"
        columns={[
          { key: 'project', head: part.project },
          { key: 'team', head: part.team, wideOnly: true },
          { key: 'events', head: part.events, isFigure: true },
          { key: 'size', head: part.size, isFigure: true },
          { key: 'perDay', head: part.perDay, isFigure: true, wideOnly: true },
        ]}
        rows={projects.map((project) => ({
          key: String(project.id),
          cells: {
            project: project.name,
            team: project.team ?? missing,
            events: format.number(project.events),
            size: bytesText(project.bytes, format),
            perDay: part.perDayOf(
              project.eventsPerDay,
              format.number(project.eventsPerDay),
              bytesText(project.bytesPerDay, format),
            ),
          },
        }))}
      />
    </Section>
  );
}

function Disks({ status, timeZone }: { status: Status; timeZone: string }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  const fullText = (daysLeft: number) => {
    const date = dateIn(status.at + daysLeft * DAY_MS, timeZone);
    return `, ${part.daysLeft(daysLeft, format.number(daysLeft), format.day(date, 0))}`;
  };
  return (
    <Section id="disks" title={part.disks}>
      <dl className={css['facts']}>
        {status.disks.map(({ what, path, freeBytes, totalBytes, daysLeft }) => (
          <div key={what}>
            <dt>{part.disk[what]}</dt>
            <dd>
              <span className="num">{part.free(bytesText(freeBytes, format), bytesText(totalBytes, format))}</span>
              {daysLeft !== null && daysLeft < MAX_DAYS_LEFT && fullText(daysLeft)}
              {path === null ? (
                <span className={css['path']}>{part.diskSetting}</span>
              ) : (
                <span className={`${css['path']} mono`}>{path}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Jobs({ jobs, timeZone }: { jobs: JobStatus[]; timeZone: string }) {
  const { jobs: title } = usePart(ingestionWords);
  return (
    <Section id="jobs" title={title}>
      <JobTable jobs={jobs} timeZone={timeZone} />
    </Section>
  );
}

function Refused({ refused }: { refused: Status['refused'] }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  const { refusals } = usePart(refusedWords);
  if (refused.length === 0) return null;
  return (
    <Section id="refused" title={part.refused}>
      <dl className={css['facts']}>
        {refused.map(({ reason, times }) => (
          <div key={reason}>
            <dt className="num">{format.number(times)}</dt>
            <dd>{refusals[reason]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Slow({ slow, timeZone }: { slow: SlowQuestion[]; timeZone: string }) {
  const { format } = useWords();
  const part = usePart(statusWords);
  return (
    <Section id="slow" title={part.slow}>
      {slow.length === 0 ? (
        <p className={css['prose']}>{part.slowNone}</p>
      ) : (
        <DataTable
          columns={[
            { key: 'question', head: part.question, className: `${css['sql']} mono` },
            { key: 'took', head: part.took, isFigure: true },
            { key: 'times', head: part.times, isFigure: true },
            { key: 'at', head: part.at, isFigure: true, wideOnly: true },
          ]}
          rows={slow.map(({ at, tookMs, times, sql }) => ({
            key: sql,
            cells: {
              question: sql,
              took: format.delay(tookMs),
              times: format.number(times),
              at: format.dayMoment(at, timeZone),
            },
          }))}
        />
      )}
    </Section>
  );
}
