/** Settings of a project. Fields are saved together, from a bar that appears when something is changed; tokens and the end act by themselves. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, Suspense, useEffect, useState } from 'react';
import type { ProjectConfiguration, ProjectSummary } from '#src/projects/contract.ts';
import { settingsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { Button } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { Link } from '#views/kit/Link.tsx';
import { LinkTabs } from '#views/kit/Tabs.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigation } from '#views/navigation.tsx';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { failureOf, type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import { ProjectEnd } from './ProjectEnd.tsx';
import { type Editing, Section } from './SettingsParts.tsx';
import { Collection, General, Privacy } from './SettingsTabs.tsx';
import css from './settings.module.css';
import {
  changeOf,
  type Draft,
  differences,
  type FieldName,
  fieldOf,
  rememberDraft,
  rememberedDraft,
  type Tab,
  tabOf,
  tabs,
  valuesOf,
  type Wrongs,
  wrongsOf,
} from './settings-form.ts';
import { Tokens } from './Tokens.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.projects.settings.queryOptions({ project }), critical: true },
    { options: trpc.events.stored.queryOptions({ project }), critical: true },
    { options: trpc.relay.status.queryOptions(), critical: true },
  ];
}

export function title(words: Words): string {
  return settingsWords[words.language].title;
}

export function Screen({ params, search }: ScreenProps) {
  const part = usePart(settingsWords);
  const reference = params['project'] ?? '';
  const tab = tabs.find((each) => each === search.get('tab')) ?? 'general';
  return (
    <Page title={part.title}>
      <div className={css['tabs']}>
        <LinkTabs
          label={part.tabsLabel}
          tabs={tabs.map((each) => ({
            key: each,
            label: part.tabs[each],
            href: addressOf(reference, each),
            current: each === tab,
          }))}
        />
      </div>
      <Suspense fallback={<BarTableSkeleton rows={6} />}>
        <Content key={reference} reference={reference} tab={tab} />
      </Suspense>
    </Page>
  );
}

function addressOf(project: string, tab: Tab): string {
  return tab === 'general' ? settingsOf(project) : `${settingsOf(project)}?tab=${tab}`;
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
      <form id="settings" className={css['form']} onSubmit={form.onSubmit} noValidate>
        {tab === 'general' && <General {...editing} />}
        {tab === 'collection' && <Collection {...editing} />}
        {tab === 'privacy' && <Privacy {...editing} project={reference} />}
      </form>
      {tab === 'general' && (
        <>
          <Tokens project={reference} tokens={configuration.tokens} timeZone={configuration.timeZone} />
          <Destination project={reference} />
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

type SettingsForm = ReturnType<typeof useSettingsForm>;

function useSettingsForm(configuration: ProjectConfiguration, tab: Tab) {
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const { navigate } = useNavigation();
  const reference = String(configuration.id);
  const stored = valuesOf(configuration);
  const [typed, setTyped] = useState<Draft>(() => rememberedDraft(configuration.id));
  // Shown once somebody wanted to save; from then on while typing.
  const [isChecked, setChecked] = useState(false);
  const [refused, setRefused] = useState<Wrongs>({});
  const [wanted, setWanted] = useState<FieldName | null>(null);
  const draft = differences(typed, stored);
  const found = wrongsOf(draft, part, format);
  const wrongs: Wrongs = isChecked ? { ...refused, ...found } : refused;

  const [hasCome] = useState(Object.keys(differences(typed, stored)).length > 0);
  useEffect(() => {
    if (hasCome) showToast(part.kept);
  }, [hasCome, part]);
  // What was typed while the page was still coming alive is in the fields, and nowhere else yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what stands there at first
  useEffect(() => setTyped((before) => ({ ...before, ...differences(typedInto('settings'), editing.values) })), []);
  useEffect(() => rememberDraft(configuration.id, typed), [configuration.id, typed]);
  // A field on another tab is there once that tab is.
  useEffect(() => {
    if (wanted === null || tabOf[wanted] !== tab) return;
    document.querySelector<HTMLElement>(`#settings [name="${wanted}"]`)?.focus();
    setWanted(null);
  }, [wanted, tab]);

  function lead(name: FieldName): void {
    setWanted(name);
    if (tabOf[name] !== tab) navigate(addressOf(reference, tabOf[name]), { replace: true });
  }

  const discard = () => {
    setTyped({});
    setRefused({});
    setChecked(false);
    rememberDraft(configuration.id, {});
  };
  const save = useMutation({
    ...trpc.projects.update.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
      discard();
      showToast(part.saved);
    },
    onError(error) {
      const field = fieldOf(failureOf(error).field);
      if (field === null) return;
      setRefused({ [field]: part.errors.other });
      lead(field);
    },
  });
  const editing: Editing = {
    values: { ...stored, ...draft },
    draft,
    wrongs,
    set(name, value) {
      setRefused({});
      setTyped((before) => ({ ...before, [name]: value }));
    },
  };
  return {
    editing,
    count: Object.keys(draft).length,
    wrong: Object.keys(wrongs).length,
    isSaving: save.isPending,
    error: save.isError && fieldOf(failureOf(save.error).field) === null ? save.error : null,
    discard,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault();
      setChecked(true);
      const [first] = Object.keys(found) as FieldName[];
      if (first !== undefined) return lead(first);
      if (Object.keys(draft).length > 0 && !save.isPending) save.mutate({ project: reference, ...changeOf(draft) });
    },
  };
}

/** What the fields of a form show. */
function typedInto(form: string): Draft {
  const fields = [...(document.querySelector<HTMLFormElement>(`form#${form}`)?.elements ?? [])];
  return Object.fromEntries(
    fields.flatMap((field): [string, string | boolean][] => {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') return [[field.name, field.checked]];
      const hasText =
        field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
      return hasText ? [[field.name, field.value]] : [];
    }),
  ) as Draft;
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

function Destination({ project }: { project: string }) {
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
      </div>
    </Section>
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
