/**
 * The form of the settings: what is being changed, over all tabs, and how it is saved. A refusal leads to its field, whichever tab that
 * stands on.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { ProjectConfiguration } from '#src/projects/contract.ts';
import { settingsOf } from '#views/frame/addresses.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { readingWords } from '#views/words/reading.ts';
import { replaySettingsWords } from '#views/words/replay-settings.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { channelsTyped } from './channel-rules.ts';
import type { Editing } from './SettingsParts.tsx';
import {
  changeOf,
  type Draft,
  differences,
  type FieldErrors,
  type FieldName,
  fieldOf,
  rememberDraft,
  rememberedDraft,
  type Tab,
  tabOf,
  type Values,
  validateDraft,
  valuesOf,
} from './settings-form.ts';

export type SettingsForm = ReturnType<typeof useSettingsForm>;

/** The address of a tab. */
export function addressOf(project: string, tab: Tab): string {
  return tab === 'general' ? settingsOf(project) : `${settingsOf(project)}?tab=${tab}`;
}

export function useSettingsForm(configuration: ProjectConfiguration, tab: Tab) {
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  const part = usePart(settingsWords);
  const reading = usePart(readingWords);
  const replay = usePart(replaySettingsWords);
  const { format } = useWords();
  const { navigate } = useNavigate();
  const reference = String(configuration.id);
  const stored = valuesOf(configuration);
  const [typed, setTyped] = useState<Draft>(() => rememberedDraft(configuration.id));
  // Shown after the first attempt to save; from then on while typing.
  const [isChecked, setChecked] = useState(false);
  const [refused, setRefused] = useState<FieldErrors>({});
  const [wanted, setWanted] = useState<FieldName | null>(null);
  const draft = differences(typed, stored);
  const found = validateDraft(draft, part, reading, replay, format);
  const fieldErrors: FieldErrors = isChecked ? { ...refused, ...found } : refused;

  const [hasCome] = useState(Object.keys(differences(typed, stored)).length > 0);
  useEffect(() => {
    if (hasCome) showToast(part.kept);
  }, [hasCome, part]);
  // Text typed before hydration is only in the fields.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what stands there at first
  useEffect(
    () => setTyped((before) => ({ ...before, ...differences(typedInto('settings', stored), editing.values) })),
    [],
  );
  useEffect(() => rememberDraft(configuration.id, typed), [configuration.id, typed]);
  // A field on another tab is there once that tab is.
  useEffect(() => {
    if (wanted === null || tabOf[wanted] !== tab) return;
    const field = document.querySelector<HTMLElement>(`#settings [name="${wanted}"]`);
    // A group of fields is led to by the first that is wrong.
    (field?.querySelector<HTMLElement>('[aria-invalid]') ?? field)?.focus();
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
      // Days, weeks and bounces are counted again.
      await Promise.all(
        [trpc.projects, trpc.insights].map((room) => queryClient.invalidateQueries({ queryKey: room.pathKey() })),
      );
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
    fieldErrors,
    set(name, value) {
      setRefused({});
      setTyped((before) => ({ ...before, [name]: value }));
    },
  };
  return {
    editing,
    count: Object.keys(draft).length,
    wrong: Object.keys(fieldErrors).length,
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

/** Values of the fields of a form. @param stored as which its rows were drawn */
function typedInto(form: string, stored: Values): Draft {
  const fields = [...(document.querySelector<HTMLFormElement>(`form#${form}`)?.elements ?? [])];
  const shown = new Map(
    fields.flatMap((field): [string, string | boolean][] => {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') return [[field.name, field.checked]];
      const hasText =
        field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
      return hasText ? [[field.name, field.value]] : [];
    }),
  );
  const draft = Object.fromEntries([...shown].filter(([name]) => name in tabOf)) as Draft;
  const textOf = (name: string) => {
    const text = shown.get(name);
    return typeof text === 'string' ? text : undefined;
  };
  return { ...draft, channelRules: channelsTyped(stored.channelRules, textOf) };
}
