/** Makes or changes a flag, and says meanwhile who would get it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Flag } from '#src/flags/contract.ts';
import { MAX_CONDITIONS } from '#src/flags/values.ts';
import { flagsOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { CheckField, FormError, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { useNavigate } from '#views/navigation.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import { ConditionFields } from './ConditionFields.tsx';
import type { FlagCodeProps } from './FlagCode.tsx';
import type { FlagHistoryProps } from './FlagHistory.tsx';
import { FlagOptions } from './FlagOptions.tsx';
import { FlagPreview } from './FlagPreview.tsx';
import type { FlagSchedulesProps } from './FlagSchedules.tsx';
import { FlagSwitch } from './FlagSwitch.tsx';
import css from './Flags.module.css';
import { FlagTest } from './FlagTest.tsx';
import { failureText } from './failure-text.ts';
import { type Draft, definitionOf, draftOf, newCondition, wrongIn } from './flag-draft.ts';
import { usePreview } from './use-preview.ts';
import { ValueFields } from './ValueFields.tsx';

/** Has a calendar: loaded after the form. */
const FlagSchedules = lazyPart<FlagSchedulesProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).FlagSchedules,
);

const FlagCode = lazyPart<FlagCodeProps>(
  'flag-parts',
  async () => (await import('#views/areas/flag-parts.ts')).FlagCode,
);

const FlagParts = lazyPart<FlagHistoryProps>(
  'flag-parts',
  async () => (await import('#views/areas/flag-parts.ts')).FlagParts,
);

export interface FlagFormProps {
  reference: string;
  flag: Flag | null;
  /** All of the project: a condition may depend on another. */
  flags: readonly Flag[];
  timeZone: string;
}

export function FlagForm({ reference, flag, flags, timeZone }: FlagFormProps) {
  const own = usePart(flagWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const [draft, setDraft] = useState<Draft>(() => draftOf(flag));
  const change = (over: Partial<Draft>) => setDraft((before) => ({ ...before, ...over }));
  const create = useMutation(trpc.flags.create.mutationOptions());
  const update = useMutation(trpc.flags.change.mutationOptions());
  const wrong = wrongIn(draft);
  const definition = definitionOf(draft, flag);
  const { data: cohorts = [] } = useKnown(trpc.insights.cohorts.list.queryOptions({ project: reference }));
  const isOfGroups = /^\d$/.test(draft.unit);
  const preview = usePreview(reference, wrong.length > 0 ? null : { key: draft.key.trim(), definition });
  const form = useForm<string>({
    check: () => Object.fromEntries(wrong.map((name) => [name, wrongText(name, own)])),
    async send() {
      const { description, note } = draft;
      const sent = { project: reference, description, definition };
      if (flag === null) await create.mutateAsync({ ...sent, key: draft.key.trim() });
      else await update.mutateAsync({ ...sent, flag: flag.id, version: flag.version, note });
      await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
      showToast(own.saved);
      navigate(flagsOf(reference));
    },
    words: ({ code, field }) => (code === 'conflict' && field === 'key' ? { key: own.keyTaken } : null),
  });
  // Fields corrected since the last check have no error.
  const errors = Object.fromEntries(
    Object.entries(form.errors).filter(([name, error]) => error === own.keyTaken || wrong.includes(name)),
  );
  const others = flags.filter(({ key }) => key !== draft.key);
  return (
    <div className={css['editor']}>
      <form data-own="" className={css['form']} onSubmit={form.onSubmit} noValidate>
        <NeedsScript />
        <div className={css['head']}>
          <h2 className={flag === null ? undefined : 'mono'}>{flag === null ? own.newTitle : flag.key}</h2>
          {flag !== null && <FlagSwitch reference={reference} flag={flag} isMaker />}
        </div>
        {flag === null && (
          <TextField
            label={own.key}
            hint={own.keyHint}
            error={errors['key']}
            name="key"
            className="mono"
            value={draft.key}
            maxLength={100}
            {...plain}
            onChange={({ target }) => change({ key: target.value })}
          />
        )}
        <TextField
          label={own.description}
          name="description"
          value={draft.description}
          maxLength={400}
          autoComplete="off"
          onChange={({ target }) => change({ description: target.value })}
        />
        <ValueFields draft={draft} errors={errors} onChange={change} />
        <section className={css['conditions']} aria-label={own.conditions}>
          <div>
            <h3>{own.conditions}</h3>
            <p className="dim">{own.conditionsText}</p>
          </div>
          {draft.conditions.map((condition, at) => (
            <ConditionFields
              key={condition.id}
              reference={reference}
              draft={draft}
              definition={definition}
              at={at}
              flags={others}
              cohorts={isOfGroups ? [] : cohorts}
              errors={errors}
              matched={preview.data?.conditions[at] ?? null}
              people={preview.data?.people ?? 0}
              onChange={(conditions) => change({ conditions })}
            />
          ))}
          <div>
            <Button
              small
              icon="plus"
              disabled={draft.conditions.length >= MAX_CONDITIONS}
              onClick={() => change({ conditions: [...draft.conditions, newCondition()] })}
            >
              {own.addCondition}
            </Button>
          </div>
        </section>
        <FlagOptions reference={reference} draft={draft} errors={errors} onChange={change} />
        {flag === null ? (
          <CheckField
            label={own.active}
            name="active"
            checked={draft.active}
            onChange={({ target }) => change({ active: target.checked })}
          />
        ) : (
          <TextField
            label={own.note}
            name="note"
            value={draft.note}
            maxLength={400}
            autoComplete="off"
            onChange={({ target }) => change({ note: target.value })}
          />
        )}
        <FormError>{form.failure && failureText(form.failure, own)}</FormError>
        <div className={css['buttons']}>
          <Button type="submit" kind="primary" busy={form.busy && own.saving}>
            {own.save}
          </Button>
          <ButtonLink href={flagsOf(reference)}>{own.cancel}</ButtonLink>
          {flag !== null && <DeleteFlag reference={reference} flag={flag} />}
        </div>
      </form>
      <aside className={css['side']}>
        <FlagPreview preview={preview} isOfGroups={isOfGroups} />
        <FlagTest reference={reference} draft={wrong.length > 0 ? null : { key: draft.key.trim(), definition }} />
        <Late>
          <FlagCode
            flagKey={draft.key.trim() || 'my-flag'}
            variants={draft.hasVariants ? draft.variants.map(({ key }) => key) : []}
          />
        </Late>
        {flag !== null && (
          <Late>
            <FlagSchedules reference={reference} flag={flag} timeZone={timeZone} />
            <FlagParts reference={reference} flag={flag} timeZone={timeZone} />
          </Late>
        )}
      </aside>
    </div>
  );
}

function wrongText(name: string, own: (typeof flagWords)['en']): string {
  if (name === 'holdout') return own.holdoutWrong;
  return name.startsWith('payload') ? own.payloadWrong : own.missing;
}

/** No autocorrection: keys are case-sensitive. */
const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

function DeleteFlag({ reference, flag }: { reference: string; flag: Flag }) {
  const own = usePart(flagWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const remove = useMutation(trpc.flags.remove.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setIsConfirming(true)}>
        {own.delete}
      </Button>
      {isConfirming && (
        <Late>
          <AskFirst
            title={own.deleteTitle(flag.key)}
            text={own.deleteText}
            action={own.delete}
            busy={own.deleting}
            onConfirm={async () => {
              await remove.mutateAsync({ project: reference, flag: flag.id });
              showToast(own.deleted);
              await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
              navigate(flagsOf(reference));
            }}
            onClose={() => setIsConfirming(false)}
            words={(error) => failureText(failureOf(error), own)}
          />
        </Late>
      )}
    </>
  );
}
