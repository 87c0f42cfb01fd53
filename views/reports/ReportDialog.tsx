/** The form of a report: what, when, to whom; and the mail as it would be sent. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import type { Report } from '#src/reports/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { type Failure, failureOf, useTrpc } from '#views/trpc.ts';
import { reportWords } from '#views/words/reports.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { RecipientFields } from './RecipientFields.tsx';
import css from './Reports.module.css';
import { type Draft, draftOf, inputOf, newDraft, previewAddress, subjectKey, withTyped } from './report-draft.ts';
import { ScheduleFields } from './ScheduleFields.tsx';
import { SubjectField } from './SubjectField.tsx';

export interface ReportDialogProps {
  project: string;
  /** What a new report shows; null: chosen in the form. */
  subject: { kind: 'dashboard' | 'insight'; id: number } | null;
  /** Of what it shows. */
  name: string;
  /** Null: a new one. */
  report: Report | null;
  onClose(): void;
}

export function ReportDialog(props: ReportDialogProps) {
  const { name, report, subject, onClose } = props;
  const own = usePart(reportWords);
  const title = report !== null ? own.editTitle(name) : subject === null ? own.newTitle : own.subscribeTitle(name);
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <div className={css['dialog']}>
        <h2>{title}</h2>
        <Late>
          <Form {...props} />
        </Late>
      </div>
    </Dialog>
  );
}

function Form({ project, subject, report, onClose }: ReportDialogProps) {
  const own = usePart(reportWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { role } = useRoleIn(project);
  const { data: members } = useSuspenseQuery(trpc.reports.members.queryOptions({ project }));
  const self = members.find(({ isSelf }) => isSelf)?.id ?? 0;
  const first = subject === null ? 'summary' : subjectKey(subject);
  const { language } = useWords();
  const [draft, setDraft] = useState<Draft>(() =>
    report === null ? newDraft(first, self, language) : draftOf(report, language),
  );
  const [isWrong, setIsWrong] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useMutation(trpc.reports.create.mutationOptions());
  const update = useMutation(trpc.reports.update.mutationOptions());
  const change = (over: Partial<Draft>) => setDraft((before) => ({ ...before, ...over }));
  const busy = create.isPending || update.isPending;
  const isMember = isAtLeast(role, 'member');

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setFailure(null);
    const whole = withTyped(draft);
    setIsWrong(whole === null);
    if (whole === null) return;
    try {
      const { subject: shown, schedule, recipients } = inputOf(whole);
      if (report === null) await create.mutateAsync({ project, subject: shown, schedule, recipients });
      else {
        const asked = { project, report: report.id, revision: report.revision, schedule };
        await update.mutateAsync(isMember ? { ...asked, recipients } : asked);
      }
      await client.invalidateQueries({ queryKey: trpc.reports.pathKey() });
      showToast(report === null && subject !== null && draft.members.includes(self) ? own.subscribed : own.saved);
      onClose();
    } catch (error) {
      setFailure(failureOf(error));
    }
  }

  return (
    <form className={css['form']} onSubmit={(event) => void save(event)}>
      {report === null && subject === null && (
        <SubjectField project={project} subject={draft.subject} onChange={(next) => change({ subject: next })} />
      )}
      <ScheduleFields schedule={draft.schedule} onChange={(schedule) => change({ schedule })} />
      {isMember ? (
        <RecipientFields
          project={project}
          report={report}
          draft={draft}
          isWrong={isWrong}
          onWrong={setIsWrong}
          onChange={change}
        />
      ) : (
        <p className="dim">{own.onlyYou}</p>
      )}
      <FormError>{failure !== null && <FailureText failure={failure} />}</FormError>
      <div className={css['buttons']}>
        <Button aria-expanded={isPreviewed} onClick={() => setIsPreviewed(!isPreviewed)}>
          {isPreviewed ? own.hidePreview : own.preview}
        </Button>
        <Button onClick={onClose}>{own.cancel}</Button>
        <Button type="submit" kind="primary" busy={busy && own.saving}>
          {report === null && subject !== null ? own.subscribe : own.save}
        </Button>
      </div>
      {isPreviewed && (
        <div className={css['preview']}>
          <iframe title={own.previewName} src={previewAddress(project, draft, 'html')} />
          <a href={previewAddress(project, draft, 'text')} target="_blank" rel="noreferrer">
            {own.asText}
          </a>
        </div>
      )}
    </form>
  );
}

function FailureText({ failure }: { failure: Failure }) {
  const own = usePart(reportWords);
  if (failure.field === 'recipients' && failure.code === 'conflict') return own.people;
  if (failure.field === 'revision') return own.conflict;
  return failure.code === 'rate_limited' ? own.tooMany : <Problem error={failure} />;
}
