/** Privacy: requests of data subjects, receipts, retention, words and code for the site, and leaving oneself out. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { PeopleSearchResult, PrivacyOverview } from '#src/privacy/contract.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { settingsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import records from '#views/kit/Records.module.css';
import { Section } from '#views/kit/Section.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { privacyWords } from '#views/words/privacy.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { FindPeople } from './FindPeople.tsx';
import { OwnVisits } from './OwnVisits.tsx';
import { Receipts } from './Receipts.tsx';
import type { SiteTextsProps } from './SiteTexts.tsx';

const SiteTexts = lazyPart<SiteTextsProps>(
  'site-texts',
  async () => (await import('#views/areas/site-texts.ts')).SiteTexts,
);

/** An erasure is done by a job: its receipt moves on by itself. */
const WHILE_OPEN_MS = 5_000;
const FETCHED_WITHIN_MS = 60_000;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.privacy.overview.queryOptions({ project }), critical: true },
    { options: trpc.collect.install.queryOptions({ project }), critical: true },
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'privacy', project })),
  ];
}

export function title(words: Words): string {
  return privacyWords[words.language].title;
}

export function Screen({ params }: ScreenProps) {
  const text = usePart(privacyWords);
  const project = params['project'] ?? '';
  return (
    <Page title={text.title}>
      <NeedsScript />
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content key={project} project={project} />
      </Late>
    </Page>
  );
}

function Content({ project }: { project: string }) {
  const text = usePart(privacyWords);
  const trpc = useTrpc();
  const [found, setFound] = useState<PeopleSearchResult | null>(null);
  const { data } = useSuspenseQuery({
    ...trpc.privacy.overview.queryOptions({ project }),
    refetchInterval: (query) => (isOpen(query.state.data) ? WHILE_OPEN_MS : false),
  });
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: install } = useSuspenseQuery(trpc.collect.install.queryOptions({ project }));
  const { timeZone = 'UTC', role = 'viewer' } = projects.find((each) => isProject(each, project)) ?? {};
  return (
    <div className="ph-no-capture">
      <Section title={text.people} text={text.peopleText}>
        <FindPeople
          project={project}
          timeZone={timeZone}
          mayErase={mayCall('privacy.erase', role)}
          found={found}
          onFound={setFound}
        />
      </Section>
      <Section title={text.receipts} text={text.receiptsText}>
        <Receipts requests={data.requests} timeZone={timeZone} marked={found?.receipts.map(({ id }) => id) ?? []} />
      </Section>
      <Section title={text.retention}>
        <Retention project={project} data={data} timeZone={timeZone} mayChange={mayCall('projects.update', role)} />
        <Explained asked={{ screen: 'privacy', project }} timeZone={timeZone} />
      </Section>
      <Section title={text.texts} text={text.textsText}>
        <SiteTexts settings={data.settings} install={install} />
      </Section>
      <Section title={text.own} text={text.ownText}>
        <OwnVisits project={project} mayChange={mayCall('projects.update', role)} />
      </Section>
    </div>
  );
}

/** A file that was asked for a moment ago is being fetched. */
function isOpen(data: PrivacyOverview | undefined): boolean {
  const isRecent = (askedAt: number) => Date.now() - askedAt < FETCHED_WITHIN_MS;
  return (
    data?.requests.some(({ kind, state, askedAt }) =>
      kind === 'erase' ? state !== 'done' : state === 'waiting' && isRecent(askedAt),
    ) ?? false
  );
}

function Retention(props: { project: string; data: PrivacyOverview; timeZone: string; mayChange: boolean }) {
  const { project, data, timeZone, mayChange } = props;
  const text = usePart(privacyWords);
  const { format } = useWords();
  const { retentionDays } = data.settings;
  return (
    <>
      <p>{retentionDays === null ? text.keptForever : text.kept(format.number(retentionDays))}</p>
      {mayChange && (
        <p>
          <Link className="link" href={`${settingsOf(project)}?tab=privacy`}>
            {text.change}
          </Link>
        </p>
      )}
      {data.retention.length === 0 ? (
        retentionDays !== null && <p className={records['note']}>{text.noRuns}</p>
      ) : (
        <ul className={records['list']}>
          {data.retention.map(({ at, before, events, sessions, persons }) => (
            <li key={at} className={records['entry']}>
              <p>
                {text.tables['events']?.(events, format.number(events))},{' '}
                {text.tables['sessions']?.(sessions, format.number(sessions))}
                {persons > 0 && <>, {text.visitors(persons, format.number(persons))}</>}
              </p>
              <p className={records['note']}>
                {format.day(dateIn(at, timeZone), 0)} · {text.runs(format.day(dateIn(before, 'UTC'), 0))}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
