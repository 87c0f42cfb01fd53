/** Whom an alert notifies: those it has, and one to add. Stored addresses are only named, never shown. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertSummary, TargetInput } from '#src/alerts/contract.ts';
import { MAX_TARGET_URL, MAX_TARGETS, type TargetKind, targetKinds } from '#src/alerts/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { CheckField, SelectField, TextField } from '#views/kit/Field.tsx';
import { useTrpc } from '#views/trpc.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Alerts.module.css';
import type { Draft } from './alert-draft.ts';
import { targetText } from './target-text.ts';

interface TargetFieldsProps {
  project: string;
  alert: AlertSummary | null;
  draft: Draft;
  onChange(over: Partial<Draft>): void;
}

export function TargetFields({ project, alert, draft, onChange }: TargetFieldsProps) {
  const own = usePart(alertWords);
  const { data: members } = useSuspenseQuery(useTrpc().alerts.members.queryOptions({ project }));
  const { targets } = draft;

  /** The name of a target in the list. */
  function textOf(target: TargetInput): string {
    if (target.kind === 'stored') {
      const stored = alert?.targets.find(({ id }) => id === target.id);
      return stored === undefined ? '' : targetText(stored, own);
    }
    if (target.kind === 'email') {
      const people = members.filter(({ id }) => target.members.includes(id));
      return targetText({ kind: 'email', place: '', members: people }, own);
    }
    const place = target.kind === 'telegram' ? target.chat : URL.parse(target.url)?.host;
    return targetText({ kind: target.kind, place: place ?? '', members: [] }, own);
  }

  return (
    <fieldset className={css['group']}>
      <legend>{own.notify}</legend>
      {targets.length > 0 && (
        <div>
          {targets.map((target, at) => {
            const text = textOf(target);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same
              <div key={at} className={css['target']}>
                <span>{text}</span>
                <Button
                  small
                  kind="quiet"
                  icon="x"
                  iconOnly
                  aria-label={own.removeTarget(text)}
                  onClick={() => onChange({ targets: targets.filter((_, index) => index !== at) })}
                />
              </div>
            );
          })}
        </div>
      )}
      {targets.length < MAX_TARGETS && (
        <NewTarget
          key={targets.length}
          members={members}
          onAdd={(target) => onChange({ targets: [...targets, target] })}
        />
      )}
    </fieldset>
  );
}

interface NewTargetProps {
  members: readonly { id: number; name: string }[];
  onAdd(target: TargetInput): void;
}

function NewTarget({ members, onAdd }: NewTargetProps) {
  const own = usePart(alertWords);
  const [kind, setKind] = useState<TargetKind | ''>('');
  const [chosen, setChosen] = useState<number[]>([]);
  const [values, setValues] = useState({ url: '', token: '', chat: '' });
  const field = (name: keyof typeof values) => ({
    value: values[name],
    autoComplete: 'off',
    spellCheck: false,
    className: 'mono',
    onChange: ({ target }: { target: { value: string } }) => setValues({ ...values, [name]: target.value }),
  });
  const target = targetOf(kind, chosen, values);
  return (
    <>
      <SelectField label={own.add} value={kind} onChange={(event) => setKind(event.target.value as TargetKind | '')}>
        <option value="">{own.choose}</option>
        {targetKinds.map((each) => (
          <option key={each} value={each}>
            {own.targets[each]}
          </option>
        ))}
      </SelectField>
      {kind === 'email' && (
        <fieldset className={css['members']}>
          <legend className="visually-hidden">{own.members}</legend>
          {members.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(event) =>
                setChosen(event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
          ))}
        </fieldset>
      )}
      {kind === 'telegram' && (
        <div className={css['pair']}>
          <TextField label={own.token} hint={own.urlHint} {...field('token')} />
          <TextField label={own.chat} {...field('chat')} />
        </div>
      )}
      {kind !== '' && kind !== 'email' && kind !== 'telegram' && (
        <TextField label={own.url} hint={own.urlHint} inputMode="url" maxLength={MAX_TARGET_URL} {...field('url')} />
      )}
      {kind !== '' && (
        <div>
          <Button small icon="plus" disabled={target === null} onClick={() => target && onAdd(target)}>
            {own.addTarget}
          </Button>
        </div>
      )}
    </>
  );
}

/** Null while something is missing. */
function targetOf(
  kind: TargetKind | '',
  members: number[],
  { url, token, chat }: { url: string; token: string; chat: string },
): TargetInput | null {
  if (kind === '') return null;
  if (kind === 'email') return members.length === 0 ? null : { kind, members };
  if (kind === 'telegram') {
    const isWhole = /^\d+:[\w-]{10,}$/.test(token.trim()) && /^(?:-?\d+|@\w+)$/.test(chat.trim());
    return isWhole ? { kind, token: token.trim(), chat: chat.trim() } : null;
  }
  return /^https?:\/\/[^\s/@]+/i.test(url.trim()) && URL.canParse(url.trim()) ? { kind, url: url.trim() } : null;
}
