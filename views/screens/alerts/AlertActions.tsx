/** What members do with an alert: acknowledge, snooze, turn off, edit, delete. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AlertSummary } from '#src/alerts/contract.ts';
import { alertOf, alertsOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Alerts.module.css';

export interface ActionsProps {
  project: string;
  alert: AlertSummary;
}

const SNOOZES = [1, 4, 24, 168] as const;

/** Fetches the list and open alerts again. */
export function useAlertRefresh(): () => Promise<void> {
  const trpc = useTrpc();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
}

export function AcknowledgeButton({ project, alert }: ActionsProps) {
  const own = usePart(alertWords);
  const refresh = useAlertRefresh();
  const acknowledge = useMutation(useTrpc().alerts.acknowledge.mutationOptions());
  if (alert.state !== 'firing' || !alert.active) return null;
  return (
    <Button
      small
      className="script-only"
      disabled={acknowledge.isPending}
      onClick={() =>
        acknowledge.mutate(
          { project, alert: alert.id },
          {
            onSuccess: () => showToast(own.acknowledged),
            onSettled: () => void refresh(),
          },
        )
      }
    >
      {own.acknowledge}
    </Button>
  );
}

export function AlertMenu({ project, alert }: ActionsProps) {
  const own = usePart(alertWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const refresh = useAlertRefresh();
  const now = useServerTime();
  const snooze = useMutation(trpc.alerts.snooze.mutationOptions());
  const update = useMutation(trpc.alerts.update.mutationOptions());
  const remove = useMutation(trpc.alerts.remove.mutationOptions());
  const [isDeleting, setIsDeleting] = useState(false);
  const { id, name, active } = alert;
  const isSnoozed = alert.snoozedUntil !== null && alert.snoozedUntil > now;
  const after = { onSettled: () => void refresh() };
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
          <Option run={() => navigate(`${alertOf(project, id)}?edit=1`)}>{own.edit}</Option>
          {active &&
            !isSnoozed &&
            SNOOZES.map((hours) => (
              <Option key={hours} run={() => snooze.mutate({ project, alert: id, hours }, after)}>
                {own.snoozeFor} {own.snoozeHours[hours]}
              </Option>
            ))}
          {isSnoozed && (
            <Option run={() => snooze.mutate({ project, alert: id, hours: null }, after)}>{own.unsnooze}</Option>
          )}
          <Option run={() => update.mutate({ project, alert: id, active: !active }, after)}>
            {active ? own.turnOff : own.turnOn}
          </Option>
          <Option run={() => setIsDeleting(true)}>{own.delete}</Option>
        </ul>
      </Popover>
      {isDeleting && (
        <AskFirst
          title={own.deleteTitle(name)}
          text={own.deleteText}
          action={own.delete}
          busy={own.deleting}
          onConfirm={async () => {
            await remove.mutateAsync({ project, alert: id });
            showToast(own.deleted);
            navigate(alertsOf(project));
            await refresh();
          }}
          onClose={() => setIsDeleting(false)}
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
