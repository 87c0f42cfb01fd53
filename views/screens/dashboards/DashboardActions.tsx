/** Actions of members on a dashboard: a menu, and the dialogs that it opens. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DashboardSummary } from '#src/dashboards/contract.ts';
import { MAX_DASHBOARD_DESCRIPTION, MAX_DASHBOARD_NAME } from '#src/dashboards/values.ts';
import { dashboardOf, dashboardsOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigation } from '#views/navigation.tsx';
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
  const { navigate } = useNavigation();
  const refresh = useDashboardRefresh();
  const duplicate = useMutation(trpc.dashboards.duplicate.mutationOptions());
  const [open, setOpen] = useState<'details' | 'delete' | null>(null);
  const { id, name } = dashboard;
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
          <Option run={() => setOpen('details')}>{own.details}</Option>
          <Option
            run={() =>
              duplicate.mutate(
                { project, dashboard: id, name: own.copyOf(name).slice(0, MAX_DASHBOARD_NAME) },
                {
                  onSuccess: async (made) => {
                    showToast(own.duplicated);
                    await refresh();
                    navigate(dashboardOf(project, made.id));
                  },
                },
              )
            }
          >
            {own.duplicate}
          </Option>
          <Option run={() => setOpen('delete')}>{own.delete}</Option>
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

/** A row of a menu, which closes it. */
export function Option({ run, pressed, children }: { run(): unknown; pressed?: boolean; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        className={optionClass(pressed)}
        aria-pressed={pressed}
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

type DialogProps = ActionsProps & { onClose(): void };

function DetailsDialog({ project, dashboard, onClose }: DialogProps) {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const refresh = useDashboardRefresh();
  const update = useMutation(trpc.dashboards.update.mutationOptions());
  const { id, name, description } = dashboard;
  const form = useForm<'name' | 'description'>({
    async send(values) {
      const change = { name: values.name.trim(), description: values.description.trim() };
      await update.mutateAsync({ project, dashboard: id, ...change });
      await refresh();
      showToast(own.saved);
      onClose();
    },
  });
  return (
    <Dialog label={own.detailsTitle} onClose={onClose} className="ph-no-capture">
      <form className={css['form']} onSubmit={form.onSubmit}>
        <h2>{own.detailsTitle}</h2>
        <NameFields name={name} description={description} />
        <FormError>{form.failure !== null && <Problem error={form.failure} />}</FormError>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.cancel}</Button>
          <Button type="submit" kind="primary" busy={form.busy && own.saving}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function NameFields({ name, description }: { name: string; description: string }) {
  const own = usePart(dashboardWords);
  return (
    <>
      <TextField
        label={own.name}
        name="name"
        required
        maxLength={MAX_DASHBOARD_NAME}
        defaultValue={name}
        autoComplete="off"
      />
      <TextField
        label={own.description}
        name="description"
        maxLength={MAX_DASHBOARD_DESCRIPTION}
        defaultValue={description}
        autoComplete="off"
      />
    </>
  );
}

function DeleteDialog({ project, dashboard, onClose }: DialogProps) {
  const own = usePart(dashboardWords);
  const trpc = useTrpc();
  const { navigate } = useNavigation();
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
