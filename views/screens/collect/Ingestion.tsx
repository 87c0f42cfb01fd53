/** Ingestion: what arrives and what becomes of it, which promise is in force, what senders should know, where events go. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { Ingestion, IngestMinute } from '#src/collect/contract.ts';
import { MinuteBars } from '#views/charts/MinuteBars.tsx';
import { Explained } from '#views/explain/Explained.tsx';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { alertsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject, useRoleIn } from '#views/frame/queries.ts';
import { ProxyNotice } from '#views/install/ProxyNotice.tsx';
import { BarTable } from '#views/kit/BarTable.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { JobTable } from '#views/kit/JobTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { missing } from '#views/words/format.ts';
import { ingestionWords } from '#views/words/ingestion.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Ingestion.module.css';
import { byMinute, sumOutcomes } from './minutes.ts';
import { ProblemTable, useReasonText } from './ProblemTable.tsx';
import { Refused } from './Refused.tsx';
import { Upstream } from './Upstream.tsx';

const EVERY_MS = 10_000;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.collect.ingestion.queryOptions({ project }), critical: true },
    { options: trpc.relay.status.queryOptions(), critical: true },
    { options: trpc.jobs.status.queryOptions(), critical: true },
    { options: trpc.proxies.problem.queryOptions(), critical: true },
    ...explainQueries(props.search, trpc.collect.explain.queryOptions({ project })),
    ...explainQueries(props.search, trpc.relay.explain.queryOptions(), 'upstream'),
  ];
}

export function title(words: Words): string {
  return words.nav.ingestion;
}

export function Screen({ params }: ScreenProps) {
  const { words } = useWords();
  const project = params['project'] ?? '';
  return (
    <Page title={words.nav.ingestion}>
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content key={project} project={project} />
      </Late>
    </Page>
  );
}

function Content({ project }: { project: string }) {
  const text = usePart(ingestionWords);
  const trpc = useTrpc();
  const fresh = { refetchInterval: EVERY_MS };
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: relay } = useSuspenseQuery({ ...trpc.relay.status.queryOptions(), ...fresh });
  const { data: ingestion } = useSuspenseQuery({ ...trpc.collect.ingestion.queryOptions({ project }), ...fresh });
  const { data: jobs } = useSuspenseQuery({ ...trpc.jobs.status.queryOptions(), ...fresh });
  const timeZone = projects.find((each) => isProject(each, project))?.timeZone ?? 'UTC';
  return (
    <div className="ph-no-capture">
      <div className={css['notice']}>
        <ProxyNotice />
      </div>
      {ingestion !== null && <Intake project={project} ingestion={ingestion} timeZone={timeZone} />}
      {relay.mode !== 'store' && (
        <Late>
          <Upstream project={project} status={relay} at={ingestion?.at ?? null} timeZone={timeZone} />
        </Late>
      )}
      <section className={css['section']} aria-labelledby="jobs">
        <h2 id="jobs">{text.jobs}</h2>
        <JobTable jobs={jobs} timeZone={timeZone} />
      </section>
    </div>
  );
}

interface IntakeProps {
  project: string;
  ingestion: Ingestion;
  timeZone: string;
}

function Intake({ project, ingestion, timeZone }: IntakeProps) {
  const text = usePart(ingestionWords);
  const { isStoring, isSlow, guarantee } = ingestion;
  const { role } = useRoleIn(project);
  return (
    <>
      <div className={css['notice']}>
        {!isStoring && (
          <Callout tone="neg">
            <strong>{isSlow ? text.slow : text.away}</strong> {text.awayNow[guarantee]}
          </Callout>
        )}
      </div>
      <Summary ingestion={ingestion} timeZone={timeZone} />
      <Explained asked={{ screen: 'ingestion', project }} timeZone={timeZone} />
      {mayCall('alerts.create', role) && (
        <p className="no-print">
          <ButtonLink small icon="bell" href={`${alertsOf(project)}?edit=new&ingestion=droppedShare`}>
            {text.alert}
          </ButtonLink>
        </p>
      )}
      <section className={css['section']} aria-labelledby="guarantee">
        <h2 id="guarantee">{text.guarantee}</h2>
        <p className={css['prose']}>
          {text.storing} {text.promises[guarantee]}
        </p>
      </section>
      <div className={css['columns']}>
        <Outcomes ingestion={ingestion} />
        <ProblemTable problems={ingestion.problems} at={ingestion.at} timeZone={timeZone} />
      </div>
      {ingestion.refused !== null && (
        <Late>
          <Refused refused={ingestion.refused} at={ingestion.at} timeZone={timeZone} />
        </Late>
      )}
    </>
  );
}

function Summary({ ingestion, timeZone }: { ingestion: Ingestion; timeZone: string }) {
  const { words, format } = useWords();
  const text = usePart(ingestionWords);
  const { latencyMs, spool, at } = ingestion;
  const outcomes = sumOutcomes(ingestion.minutes);
  const { stored = 0, duplicate = 0, ...dropped } = Object.fromEntries(outcomes);
  const left = Object.values(dropped).reduce((sum, events) => sum + events, 0);
  const figures: [value: string, label: string][] = [
    [format.number(stored), text.stored],
    [format.number(left), text.left],
    [latencyMs === null ? missing : `${format.delay(latencyMs.p50)} · ${format.delay(latencyMs.p99)}`, text.latency],
  ];
  if (spool !== null && spool.events > 0) figures.push([format.number(spool.events), text.waiting]);
  return (
    <div className={css['summary']}>
      {figures.map(([value, label]) => (
        <p key={label}>
          <b className={`${css['figure']} num`}>{value}</b>
          <span className={css['label']}>{label}</span>
        </p>
      ))}
      <figure className={css['minutes']}>
        <MinuteBars minutes={byMinute(ingestion.minutes, at, storedIn)} now={1} name={text.minutes} />
        <figcaption className={css['label']} aria-hidden="true">
          <span>{text.minutesAgo}</span>
          <span>{text.now}</span>
        </figcaption>
      </figure>
      {spool !== null && spool.oldestAt !== null && (
        <p className={css['label']}>{text.oldest(ago(spool.oldestAt, at, timeZone, words))}</p>
      )}
    </div>
  );
}

function Outcomes({ ingestion }: { ingestion: Ingestion }) {
  const { format } = useWords();
  const text = usePart(ingestionWords);
  const textOf = useReasonText();
  const outcomes = sumOutcomes(ingestion.minutes);
  const all = outcomes.reduce((sum, [, events]) => sum + events, 0);
  const largest = Math.max(1, ...outcomes.map(([, events]) => events));
  return (
    <section className={css['section']} aria-labelledby="outcomes">
      <h2 id="outcomes">
        {text.outcomes} <span className={css['label']}>{text.outcomesNote}</span>
      </h2>
      {outcomes.length === 0 ? (
        <p className={css['prose']}>{text.noOutcomes}</p>
      ) : (
        <BarTable
          caption={text.outcomes}
          columns={[
            { key: 'outcome', head: text.outcome },
            { key: 'events', head: text.events, sort: 'descending' },
            { key: 'share', head: text.share, faint: true },
          ]}
          rows={outcomes.map(([name, events]) => ({
            key: name,
            label: <span className={css['reason']}>{textOf(name)}</span>,
            cells: [format.number(events), format.percent(events / all)],
            bar: events / largest,
            tick: null,
          }))}
        />
      )}
    </section>
  );
}

function storedIn({ outcomes }: IngestMinute): number {
  return outcomes['stored'] ?? 0;
}
