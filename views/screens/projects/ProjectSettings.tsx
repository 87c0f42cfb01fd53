/** Settings of a project. Fields are saved together, from a bar that appears when something is changed; tokens and the end act by themselves. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { explanationOf } from '#views/explain/explain-asked.ts';
import { explainQueries } from '#views/explain/explain-screen.ts';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { SettingsPage } from '#views/frame/SettingsPage.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { CopySwitchProps } from './CopySwitch.tsx';
import { EarlyEvents } from './EarlyEvents.tsx';
import { GroupTypes } from './GroupTypes.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import { ProjectEnd } from './ProjectEnd.tsx';
import { Reading } from './ReadingTab.tsx';
import type { ReplayTabProps } from './ReplayTab.tsx';
import { SecretKeys } from './SecretKeys.tsx';
import { Section } from './SettingsParts.tsx';
import { Collection, General, Privacy } from './SettingsTabs.tsx';
import css from './settings.module.css';
import { type Tab, tabs } from './settings-form.ts';
import { Tokens } from './Tokens.tsx';
import { type SettingsForm, useSettingsForm } from './use-settings-form.ts';

const ReplayTab = lazyPart<ReplayTabProps>(
  'replay-settings',
  async () => (await import('#views/areas/replay-settings.ts')).ReplayTab,
);

const CopySwitch = lazyPart<CopySwitchProps>(
  'copy-switch',
  async () => (await import('#views/areas/copy-switch.ts')).CopySwitch,
);

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.projects.settings.queryOptions({ project }), critical: true },
    { options: trpc.events.stored.queryOptions({ project }), critical: true },
    { options: trpc.relay.status.queryOptions(), critical: true },
    { options: trpc.clickhouse.project.queryOptions({ project }), critical: true },
    ...(props.search.get('tab') === 'privacy'
      ? [{ options: trpc.explorer.early.queryOptions({ project }), critical: true }]
      : []),
    ...(props.search.get('tab') === 'replay'
      ? [{ options: trpc.replays.usage.queryOptions({ project }), critical: true }]
      : []),
    ...explainQueries(props.search, explanationOf(trpc, { screen: 'stored', project })),
  ];
}

export function title(words: Words): string {
  return settingsWords[words.language].title;
}

/** Names of the tabs among those of all settings. */
const tabPlaces = {
  general: 'settings',
  collection: 'collection',
  reading: 'reading',
  privacy: 'retention',
  replay: 'replay-settings',
} as const;

export function Screen({ params, search }: ScreenProps) {
  const reference = params['project'] ?? '';
  const tab = tabs.find((each) => each === search.get('tab')) ?? 'general';
  return (
    <SettingsPage tab={tabPlaces[tab]}>
      <Late fallback={<BarTableSkeleton rows={6} />}>
        <Content key={reference} reference={reference} tab={tab} />
      </Late>
    </SettingsPage>
  );
}

function Content({ reference, tab }: { reference: string; tab: Tab }) {
  const trpc = useTrpc();
  const { data: configuration } = useSuspenseQuery(trpc.projects.settings.queryOptions({ project: reference }));
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const summary = projects.find((each) => isProject(each, reference));
  const form = useSettingsForm(configuration, tab);
  const { editing } = form;
  return (
    <div className="ph-no-capture">
      <form data-own="" id="settings" className={css['form']} onSubmit={form.onSubmit} noValidate>
        {tab === 'general' && <General {...editing} />}
        {tab === 'collection' && <Collection {...editing} />}
        {tab === 'reading' && <Reading {...editing} project={reference} />}
        {tab === 'privacy' && <Privacy {...editing} project={reference} timeZone={configuration.timeZone} />}
        {tab === 'replay' && (
          <Late fallback={<BarTableSkeleton rows={6} />}>
            <ReplayTab {...editing} project={reference} timeZone={configuration.timeZone} />
          </Late>
        )}
      </form>
      {tab === 'privacy' && <EarlyEvents project={reference} timeZone={configuration.timeZone} />}
      {tab === 'general' && (
        <>
          <Tokens project={reference} tokens={configuration.tokens} timeZone={configuration.timeZone} />
          <SecretKeys project={reference} keys={configuration.secretKeys} timeZone={configuration.timeZone} />
          {summary && <GroupTypes project={reference} types={summary.groupTypes} />}
          <Destination project={reference} timeZone={configuration.timeZone} />
          <Copy project={reference} timeZone={configuration.timeZone} />
          {summary && <TeamLinks team={summary.team} />}
          {summary && <ProjectEnd project={configuration} role={summary.role} />}
        </>
      )}
      {form.count > 0 && (
        <>
          <SaveBar form={form} />
          <LeaveGuard onLeave={form.discard} />
        </>
      )}
    </div>
  );
}

function SaveBar({ form }: { form: SettingsForm }) {
  const part = usePart(settingsWords);
  const { format } = useWords();
  const { count, wrong } = form;
  return (
    <div className={css['bar']}>
      <p role="status">
        {form.error ? (
          <span className={css['barError']}>
            <ErrorMessage error={form.error} />
          </span>
        ) : wrong > 0 ? (
          part.attention(wrong, format.number(wrong))
        ) : (
          part.changes(count, format.number(count))
        )}
      </p>
      <Button onClick={form.discard}>{part.discard}</Button>
      <Button kind="primary" type="submit" form="settings" busy={form.isSaving && part.saving}>
        {part.save}
      </Button>
    </div>
  );
}

function Destination({ project, timeZone }: { project: string; timeZone: string }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const { data: relay } = useSuspenseQuery(trpc.relay.status.queryOptions());
  const { data: stored } = useSuspenseQuery(trpc.events.stored.queryOptions({ project }));
  const host = relay.host ?? '';
  const { events } = stored;
  return (
    <Section title={part.where} text={part.whereText}>
      <div>
        <p>
          {relay.mode === 'relay' ? part.relayed(host) : relay.mode === 'mirror' ? part.mirrored(host) : part.stored}
        </p>
        <p className={css['dim']}>
          {relay.mode === 'relay' ? part.relayedText : part.storedCount(events, format.number(events))}
        </p>
        {relay.mode !== 'relay' && <Explained asked={{ screen: 'stored', project }} timeZone={timeZone} />}
      </div>
    </Section>
  );
}

/** Nothing where no ClickHouse is set. */
function Copy(props: CopySwitchProps) {
  const trpc = useTrpc();
  const { data: copy } = useSuspenseQuery(trpc.clickhouse.project.queryOptions({ project: props.project }));
  return (
    copy !== null && (
      <Late fallback={<BarTableSkeleton rows={2} />}>
        <CopySwitch {...props} />
      </Late>
    )
  );
}

function TeamLinks({ team }: { team: ProjectSummary['team'] }) {
  const part = usePart(settingsWords);
  return (
    <Section title={part.team} text={part.teamText}>
      <p>{team.name}</p>
      <p className={css['links']}>
        <Link className="link" href={`/team/${team.id}/members`}>
          {part.members}
        </Link>
        <Link className="link" href={`/team/${team.id}/activity`}>
          {part.activity}
        </Link>
      </p>
    </Section>
  );
}
