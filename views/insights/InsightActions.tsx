/** Actions of members on a saved insight: a menu, and the dialogs that it opens. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isAtLeast, type Role } from '#src/accounts/values.ts';
import type { InsightSummary } from '#src/insights/saved/contract.ts';
import { MAX_INSIGHT_NAME } from '#src/insights/saved/values.ts';
import { alertsOf, savedInsightOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { MenuOption } from '#views/kit/MenuOption.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useFailureToast } from '#views/kit/use-failure-toast.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import { HistoryDialog } from './HistoryDialog.tsx';
import css from './InsightActions.module.css';
import { SaveDialog } from './SaveDialog.tsx';
import { useRefresh } from './use-refresh.ts';

interface ActionsProps {
  project: string;
  insight: InsightSummary;
  role: Role;
  timeZone: string;
  /** After it was deleted. */
  onDeleted?: (() => void) | undefined;
}

type Open = 'edit' | 'history' | 'delete' | null;

export function InsightActions({ project, insight, role, timeZone, onDeleted }: ActionsProps) {
  const { actions: text, columns } = usePart(savedInsightWords);
  const { navigate } = useNavigate();
  const { archive, restore, duplicate } = useInsightMutations();
  const refresh = useRefresh();
  const [open, setOpen] = useState<Open>(null);
  const { id, name, archivedAt } = insight;
  const onError = useFailureToast();
  const done = (message: string) => {
    showToast(message);
    return refresh();
  };
  function copy(): void {
    const copied = text.copyOf(name).slice(0, MAX_INSIGHT_NAME).trim();
    duplicate.mutate(
      { project, insight: id, name: copied },
      {
        onSuccess: async (made) => {
          await done(text.duplicated);
          navigate(savedInsightOf(project, made.id));
        },
        onError,
      },
    );
  }
  return (
    <>
      <Popover
        label={text.more(name)}
        align="end"
        list
        triggerClass={css['trigger']}
        trigger={
          <>
            <Icon name="more" />
            <span className="visually-hidden">{text.more(name)}</span>
          </>
        }
      >
        <ul aria-label={columns.actions}>
          <MenuOption run={() => setOpen('edit')}>{text.edit}</MenuOption>
          <MenuOption run={copy}>{text.duplicate}</MenuOption>
          <MenuOption run={() => setOpen('history')}>{text.history}</MenuOption>
          {insight.kind === 'trends' && archivedAt === null && (
            <MenuOption run={() => navigate(`${alertsOf(project)}?edit=new&insight=${id}`)}>{text.alert}</MenuOption>
          )}
          {archivedAt === null ? (
            <MenuOption
              run={() => archive.mutate({ project, insight: id }, { onSuccess: () => done(text.archived), onError })}
            >
              {text.archive}
            </MenuOption>
          ) : (
            <MenuOption
              run={() => restore.mutate({ project, insight: id }, { onSuccess: () => done(text.restored), onError })}
            >
              {text.restore}
            </MenuOption>
          )}
          {archivedAt !== null && isAtLeast(role, 'admin') && (
            <MenuOption run={() => setOpen('delete')}>{text.delete}</MenuOption>
          )}
        </ul>
      </Popover>
      {open === 'edit' && <DetailsDialog project={project} insight={insight} onClose={() => setOpen(null)} />}
      {open === 'history' && (
        <HistoryDialog project={project} insight={insight} timeZone={timeZone} onClose={() => setOpen(null)} />
      )}
      {open === 'delete' && (
        <DeleteDialog project={project} insight={insight} onDeleted={onDeleted} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

type DialogProps = Pick<ActionsProps, 'project' | 'insight'> & { onClose(): void };

/** Name, description and tags of a saved insight. */
export function DetailsDialog({ project, insight, onClose }: DialogProps) {
  const { save: text } = usePart(savedInsightWords);
  const { update } = useInsightMutations();
  const refresh = useRefresh();
  const { id, name, description, tags } = insight;
  return (
    <SaveDialog
      title={text.details}
      names={{ name, description, tags }}
      onSave={async (names) => {
        await update.mutateAsync({ project, insight: id, change: names });
        showToast(text.saved);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ project, insight, onDeleted, onClose }: DialogProps & Pick<ActionsProps, 'onDeleted'>) {
  const { actions: text } = usePart(savedInsightWords);
  const { remove } = useInsightMutations();
  const refresh = useRefresh();
  return (
    <AskFirst
      title={text.deleteTitle(insight.name)}
      text={text.deleteText}
      action={text.delete}
      busy={text.deleting}
      onConfirm={async () => {
        await remove.mutateAsync({ project, insight: insight.id });
        showToast(text.deleted);
        onDeleted?.();
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

function useInsightMutations() {
  const { saved } = useTrpc().insights;
  return {
    update: useMutation(saved.update.mutationOptions()),
    duplicate: useMutation(saved.duplicate.mutationOptions()),
    archive: useMutation(saved.archive.mutationOptions()),
    restore: useMutation(saved.restore.mutationOptions()),
    remove: useMutation(saved.remove.mutationOptions()),
  };
}
