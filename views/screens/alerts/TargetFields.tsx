/** Whom an alert notifies: those it has, and one to add. Stored addresses are only named, never shown. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { AlertSummary, TargetInput } from '#src/alerts/contract.ts';
import { MAX_TARGET_URL, MAX_TARGETS, type TargetKind, targetKinds } from '#src/alerts/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { CheckField, SelectField, TextField } from '#views/kit/Field.tsx';
import { useTrpc } from '#views/trpc.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Alerts.module.css';
import { type Draft, type DraftTarget, noTarget, targetOf } from './alert-draft.ts';
import { targetText } from './target-text.ts';

interface TargetFieldsProps {
  project: string;
  alert: AlertSummary | null;
  draft: Draft;
  /** Of the target that was begun. */
  error: string | undefined;
  onChange(over: Partial<Draft>): void;
}

export function TargetFields({ project, alert, draft, error, onChange }: TargetFieldsProps) {
  const own = usePart(alertWords);
  const { data: members } = useSuspenseQuery(useTrpc().alerts.members.queryOptions({ project }));
  const { targets, begun } = draft;

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
          members={members}
          target={begun}
          error={error}
          onChange={(over) => onChange({ begun: { ...begun, ...over } })}
          onAdd={(target) => onChange({ targets: [...targets, target], begun: noTarget })}
        />
      )}
    </fieldset>
  );
}

interface NewTargetProps {
  members: readonly { id: number; name: string }[];
  target: DraftTarget;
  error: string | undefined;
  onChange(over: Partial<DraftTarget>): void;
  onAdd(target: TargetInput): void;
}

function NewTarget({ members, target, error, onChange, onAdd }: NewTargetProps) {
  const own = usePart(alertWords);
  const { kind, members: chosen } = target;
  const field = (name: 'url' | 'token' | 'chat') => ({
    value: target[name],
    autoComplete: 'off',
    spellCheck: false,
    className: 'mono',
    onChange: (event: { target: { value: string } }) => onChange({ ...target, [name]: event.target.value }),
  });
  const whole = targetOf(target);
  return (
    <>
      <SelectField
        label={own.add}
        name="target"
        error={error}
        value={kind}
        onChange={(event) => onChange({ kind: event.target.value as TargetKind | '' })}
      >
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
                onChange({
                  members: event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id),
                })
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
          <Button small icon="plus" disabled={whole === null} onClick={() => whole && onAdd(whole)}>
            {own.addTarget}
          </Button>
        </div>
      )}
    </>
  );
}
