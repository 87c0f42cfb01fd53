/** What is done with a report: edit, send now, look at its history, pause, delete. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import type { Report } from '#src/reports/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { ReportDialog } from '#views/reports/ReportDialog.tsx';
import css from '#views/reports/Reports.module.css';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { reportWords } from '#views/words/reports.ts';
import { usePart } from '#views/words/words.tsx';
import { ReportHistory } from './ReportHistory.tsx';

interface ReportActionsProps {
  project: string;
  report: Report;
  name: string;
}

export function ReportActions({ project, report, name }: ReportActionsProps) {
  const own = usePart(reportWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { role } = useRoleIn(project);
  const update = useMutation(trpc.reports.update.mutationOptions());
  const remove = useMutation(trpc.reports.remove.mutationOptions());
  const sendNow = useMutation(trpc.reports.sendNow.mutationOptions());
  const [open, setOpen] = useState<'edit' | 'history' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const refresh = () => client.invalidateQueries({ queryKey: trpc.reports.pathKey() });
  const { id, active } = report;
  const { data: members } = useSuspenseQuery(trpc.reports.members.queryOptions({ project }));
  const isOwn = members.some(({ id: account, isSelf }) => isSelf && account === report.createdBy.id);
  const isEditor = isAtLeast(role, 'member') || isOwn;
  const isGone = report.subject.kind !== 'summary' && report.name === null;
  return (
    <>
      <Popover
        label={own.more(name)}
        align="end"
        list
        triggerClass={css['more']}
        trigger={
          <>
            <Icon name="more" />
            <span className="visually-hidden">{own.more(name)}</span>
          </>
        }
      >
        <ul>
          {isEditor && !isGone && <Option run={() => setOpen('edit')}>{own.edit}</Option>}
          {!isGone && (
            <Option
              run={() =>
                sendNow.mutate(
                  { project, report: id },
                  {
                    onSuccess: ({ recipients }) => showToast(own.sent(recipients)),
                    onError: (error) => {
                      showToast(failureOf(error).code === 'rate_limited' ? own.sentTooOften : own.notSent);
                    },
                    onSettled: () => void refresh(),
                  },
                )
              }
            >
              {own.sendNow}
            </Option>
          )}
          <Option run={() => setOpen('history')}>{own.history}</Option>
          {isEditor && !isGone && (
            <Option
              run={() => update.mutate({ project, report: id, active: !active }, { onSettled: () => void refresh() })}
            >
              {active ? own.pause : own.resume}
            </Option>
          )}
          {isEditor && <Option run={() => setOpen('delete')}>{own.delete}</Option>}
        </ul>
      </Popover>
      {open === 'edit' && <ReportDialog project={project} subject={null} name={name} report={report} onClose={close} />}
      {open === 'history' && <ReportHistory project={project} report={id} name={name} onClose={close} />}
      {open === 'delete' && (
        <AskFirst
          title={own.deleteTitle(name)}
          text={own.deleteText}
          action={own.delete}
          busy={own.deleting}
          onConfirm={async () => {
            await remove.mutateAsync({ project, report: id });
            showToast(own.deleted);
            await refresh();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** A row of the menu, which closes it. */
function Option({ run, children }: { run(): void; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        className={optionClass()}
        onClick={(event) => {
          event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
          run();
        }}
      >
        {children}
      </button>
    </li>
  );
}
