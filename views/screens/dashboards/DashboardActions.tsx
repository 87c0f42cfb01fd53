/** Actions of members on a dashboard: a menu, and the dialogs that it opens. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DashboardSummary } from '#src/dashboards/contract.ts';
import { MAX_INSIGHT_NAME } from '#src/insights/saved/values.ts';
import { dashboardOf, dashboardsOf } from '#views/frame/addresses.ts';
import { SaveDialog } from '#views/insights/SaveDialog.tsx';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { MenuOption } from '#views/kit/MenuOption.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useFailureToast } from '#views/kit/use-failure-toast.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Dashboards.module.css';

interface ActionsProps {
  project: string;
  dashboard: DashboardSummary;
}

export function DashboardActions({ project, dashboard }: ActionsProps) {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const refresh = useDashboardRefresh();
  const duplicate = useMutation(trpc.dashboards.duplicate.mutationOptions());
  const [open, setOpen] = useState<'details' | 'delete' | null>(null);
  const { id, name } = dashboard;
  const onError = useFailureToast();
  const close = () => setOpen(null);
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
          <MenuOption run={() => setOpen('details')}>{own.details}</MenuOption>
          <MenuOption
            run={() =>
              duplicate.mutate(
                { project, dashboard: id, name: own.copyOf(name).slice(0, MAX_INSIGHT_NAME).trim() },
                {
                  onSuccess: async (made) => {
                    showToast(own.duplicated);
                    await refresh();
                    navigate(dashboardOf(project, made.id));
                  },
                  onError,
                },
              )
            }
          >
            {own.duplicate}
          </MenuOption>
          <MenuOption run={() => setOpen('delete')}>{own.delete}</MenuOption>
        </ul>
      </Popover>
      {open === 'details' && <DetailsDialog project={project} dashboard={dashboard} onClose={close} />}
      {open === 'delete' && <DeleteDialog project={project} dashboard={dashboard} onClose={close} />}
    </>
  );
}

/** Fetches the list and open dashboards again. */
export function useDashboardRefresh(): () => Promise<void> {
  const trpc = useTrpc();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: trpc.dashboards.pathKey() });
}

type DialogProps = ActionsProps & { onClose(): void };

function DetailsDialog({ project, dashboard, onClose }: DialogProps) {
  const own = usePart(dashboardWords);
  const refresh = useDashboardRefresh();
  const update = useMutation(useTrpc().dashboards.update.mutationOptions());
  const { id, name, description, tags } = dashboard;
  return (
    <SaveDialog
      title={own.detailsTitle}
      names={{ name, description, tags }}
      onSave={async (names) => {
        await update.mutateAsync({ project, dashboard: id, ...names });
        showToast(own.saved);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ project, dashboard, onClose }: DialogProps) {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const { navigate } = useNavigate();
  const client = useQueryClient();
  const remove = useMutation(trpc.dashboards.remove.mutationOptions());
  return (
    <AskFirst
      title={own.deleteTitle(dashboard.name)}
      text={own.deleteText}
      action={own.delete}
      busy={own.deleting}
      onConfirm={async () => {
        await remove.mutateAsync({ project, dashboard: dashboard.id });
        showToast(own.deleted);
        navigate(dashboardsOf(project));
        await client.invalidateQueries({ queryKey: trpc.dashboards.list.queryKey({ project }) });
      }}
      onClose={onClose}
    />
  );
}
