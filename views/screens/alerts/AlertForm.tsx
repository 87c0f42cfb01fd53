/** Makes or changes an alert, and shows meanwhile when it would have fired. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertSummary, ChangedAlert } from '#src/alerts/contract.ts';
import { MAX_ALERT_NAME } from '#src/alerts/values.ts';
import { alertOf, alertsOf } from '#views/frame/addresses.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { CopyLink } from '#views/kit/CopyLink.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart } from '#views/words/words.tsx';
import { useAlertRefresh } from './AlertActions.tsx';
import { AlertPreview } from './AlertPreview.tsx';
import css from './Alerts.module.css';
import { conditionOf, type Draft, draftOf, subjectOf, targetsOf, wrongIn } from './alert-draft.ts';
import { ConditionFields, SubjectFields, SubjectFilters } from './RuleFields.tsx';
import { TargetFields } from './TargetFields.tsx';

export interface AlertFormProps {
  project: string;
  alert: AlertSummary | null;
  search: URLSearchParams;
}

export function AlertForm({ project, alert, search }: AlertFormProps) {
  const own = usePart(alertWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const refresh = useAlertRefresh();
  const [draft, setDraft] = useState<Draft>(() => draftOf(alert, search));
  const [saved, setSaved] = useState<ChangedAlert | null>(null);
  const change = (over: Partial<Draft>) => setDraft((before) => ({ ...before, ...over }));
  const create = useMutation(trpc.alerts.create.mutationOptions());
  const update = useMutation(trpc.alerts.update.mutationOptions());
  const wrong = wrongIn(draft);
  const subject = subjectOf(draft);
  const condition = conditionOf(draft, subject);
  const finish = async (made: ChangedAlert) => {
    await refresh();
    navigate(alertOf(project, made.alert.id));
  };
  const form = useForm<string>({
    check: () => Object.fromEntries(wrong.map((name) => [name, messageOf(name, own)])),
    async send() {
      if (subject === null || condition === null) return;
      const { name, interval } = draft;
      const sent = { project, name: name.trim(), subject, condition, interval, targets: targetsOf(draft) };
      const made =
        alert === null
          ? await create.mutateAsync(sent)
          : await update.mutateAsync({ ...sent, alert: alert.id, revision: alert.revision });
      showToast(own.saved);
      if (made.secrets.length > 0) setSaved(made);
      else await finish(made);
    },
  });
  // Fields corrected since the last check have no error.
  const errors = Object.fromEntries(Object.entries(form.errors).filter(([name]) => wrong.includes(name)));
  return (
    <div className={css['editor']}>
      <div>
        <SubjectFilters draft={draft} onChange={change} />
        <form data-own="" className={css['form']} onSubmit={form.onSubmit} noValidate>
          <NeedsScript />
          <TextField
            label={own.name}
            name="name"
            value={draft.name}
            error={errors['name']}
            maxLength={MAX_ALERT_NAME}
            autoComplete="off"
            onChange={({ target }) => change({ name: target.value })}
          />
          <SubjectFields project={project} draft={draft} errors={errors} onChange={change} />
          {draft.kind !== 'issues' && (
            <ConditionFields draft={draft} subject={subject} errors={errors} onChange={change} />
          )}
          <TargetFields project={project} alert={alert} draft={draft} error={errors['target']} onChange={change} />
          <FormError>
            {form.failure !== null &&
              (form.failure.field === 'revision' ? own.conflict : <Problem error={form.failure} />)}
          </FormError>
          <div className={css['buttons']}>
            <Button type="submit" kind="primary" busy={form.busy && own.saving}>
              {own.save}
            </Button>
            <ButtonLink href={alert === null ? alertsOf(project) : alertOf(project, alert.id)}>{own.cancel}</ButtonLink>
          </div>
        </form>
      </div>
      <AlertPreview
        project={project}
        asked={subject && condition && { subject, condition, interval: draft.interval }}
        interval={draft.interval}
      />
      {saved !== null && <Secrets saved={saved} onClose={() => void finish(saved)} />}
    </div>
  );
}

function messageOf(field: string, own: { missing: string; invalidNumber: string; targetMissing: string }): string {
  if (field === 'target') return own.targetMissing;
  return ['limit', 'percent', 'silent'].includes(field) ? own.invalidNumber : own.missing;
}

/** The only time that secrets are shown. */
function Secrets({ saved, onClose }: { saved: ChangedAlert; onClose(): void }) {
  const own = usePart(alertWords);
  return (
    <Dialog label={own.secretTitle} onClose={onClose} className="ph-no-capture">
      <div className={css['dialog']}>
        <h2>{own.secretTitle}</h2>
        <p>{own.secretText}</p>
        {saved.secrets.map(({ target, place, secret }) => (
          <div key={target}>
            <p className={css['sub']}>{place}</p>
            <CopyLink label={own.secretFor(place)} link={secret} />
          </div>
        ))}
        <div className={css['buttons']}>
          <Button kind="primary" onClick={onClose}>
            {own.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
