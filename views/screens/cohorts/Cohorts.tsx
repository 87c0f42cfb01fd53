/** Cohorts of a project: their size now and by week, and forms to make one by conditions or from a list. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cohort, CohortSource } from '#src/insights/cohorts/contract.ts';
import { cohortsOf } from '#views/frame/addresses.ts';
import { cohortPeopleOf } from '#views/frame/cohort-people.ts';
import { Page } from '#views/frame/Page.tsx';
import { PeopleTabs } from '#views/frame/PeopleTabs.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { type DataRow, DataTable } from '#views/kit/DataTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Sparkline } from '#views/kit/Sparkline.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { failureOf, type Trpc, useTrpc } from '#views/trpc.ts';
import { cohortWords } from '#views/words/cohorts.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { CohortForm, ListForm } from './CohortForm.tsx';
import css from './Cohorts.module.css';

/** Values of a list without a person that are shown. */
const NOT_FOUND_SHOWN = 10;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const edited = props.search.get('edit');
  const isForm = edited !== null && edited !== 'list';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.insights.cohorts.list.queryOptions({ project }), critical: true },
    ...(isForm
      ? [
          { options: trpc.insights.goals.known.queryOptions({ project }), critical: true },
          { options: trpc.insights.properties.queryOptions({ project }), critical: true },
        ]
      : []),
  ];
}

export const title: ScreenModule['title'] = ({ language }) => cohortWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(cohortWords);
  const reference = params['project'] ?? '';
  const edited = search.get('edit');
  return (
    <Page title={own.title} actions={edited === null && <NewLinks reference={reference} />}>
      <div className="ph-no-capture">
        <PeopleTabs project={reference} current="cohorts" />
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <Content key={`${reference} ${edited}`} reference={reference} edited={edited} />
        </Late>
      </div>
    </Page>
  );
}

function NewLinks({ reference }: { reference: string }) {
  const own = usePart(cohortWords);
  return (
    <>
      <ButtonLink small href={`${cohortsOf(reference)}?edit=list`}>
        {own.fromList}
      </ButtonLink>
      <ButtonLink small kind="primary" href={`${cohortsOf(reference)}?edit=new`}>
        {own.create}
      </ButtonLink>
    </>
  );
}

function Content({ reference, edited }: { reference: string; edited: string | null }) {
  const own = usePart(cohortWords);
  const trpc = useTrpc();
  const { data: cohorts } = useSuspenseQuery(trpc.insights.cohorts.list.queryOptions({ project: reference }));
  const cohort = cohorts.find(({ id }) => String(id) === edited) ?? null;
  if (edited === 'list') return <ListForm reference={reference} />;
  if (edited === 'new' || cohort !== null)
    return <CohortForm reference={reference} cohort={cohort} cohorts={cohorts} />;
  if (cohorts.length === 0) {
    return (
      <State icon="people" title={own.none}>
        {own.noneText}
      </State>
    );
  }
  return (
    <>
      <List reference={reference} cohorts={cohorts} />
      <p className={css['note']}>{own.updatedNote}</p>
    </>
  );
}

function List({ reference, cohorts }: { reference: string; cohorts: Cohort[] }) {
  const own = usePart(cohortWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(reference);
  const now = useServerTime();
  const { columns } = own;
  const rowOf = (cohort: Cohort): DataRow => ({
    key: String(cohort.id),
    cells: {
      cohort: <Name reference={reference} cohort={cohort} />,
      type: cohort.people === null ? own.fixed : own.dynamic,
      people: format.number(cohort.size),
      sizes: cohort.sizes.length > 1 && <Sparkline values={cohort.sizes.map(({ size }) => size)} />,
      updated: (
        <time dateTime={new Date(cohort.computedAt).toISOString()}>{ago(cohort.computedAt, now, timeZone, words)}</time>
      ),
      usedIn: cohort.usedBy.length === 0 ? <span className="dim">{own.notUsed}</span> : cohort.usedBy.join(', '),
      actions: <Actions reference={reference} cohort={cohort} />,
    },
  });
  return (
    <DataTable
      caption={own.title}
      columns={[
        { key: 'cohort', head: columns.cohort },
        { key: 'type', head: columns.type, wideOnly: true, className: css['type'] },
        { key: 'people', head: columns.people, isFigure: true },
        { key: 'sizes', head: columns.sizes, wideOnly: true },
        { key: 'updated', head: columns.updated, wideOnly: true, className: 'num' },
        { key: 'usedIn', head: columns.usedIn, wideOnly: true },
        { key: 'actions', head: <span className="visually-hidden">{own.actions}</span> },
      ]}
      rows={cohorts.map(rowOf)}
    />
  );
}

function Name({
  reference,
  cohort: { id, name, description, source, problem },
}: {
  reference: string;
  cohort: Cohort;
}) {
  const own = usePart(cohortWords);
  return (
    <span className={css['name']}>
      <Link href={cohortPeopleOf(reference, id)}>{name}</Link>
      {description !== '' && <span className={css['below']}>{description}</span>}
      {source?.from === 'insight' && <span className={css['below']}>{own.fromInsight}</span>}
      {source?.from === 'list' && <Report source={source} />}
      {problem !== null && <span className={css['below']}>{own.problem}</span>}
    </span>
  );
}

/** What became of a list of values. */
function Report({ source: { given, matched, notFound } }: { source: Extract<CohortSource, { from: 'list' }> }) {
  const own = usePart(cohortWords);
  const { format } = useWords();
  const more = given - matched - NOT_FOUND_SHOWN;
  return (
    <>
      <span className={css['below']}>{own.matched(format.number(matched), format.number(given))}</span>
      {notFound.length > 0 && (
        <span className={css['below']}>
          {own.notFound(notFound.slice(0, NOT_FOUND_SHOWN).join(', '), more > 0 ? format.number(more) : null)}
        </span>
      )}
    </>
  );
}

function Actions({ reference, cohort: { id, name, people } }: { reference: string; cohort: Cohort }) {
  const own = usePart(cohortWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const recompute = useMutation(trpc.insights.cohorts.recompute.mutationOptions());
  const remove = useMutation(trpc.insights.cohorts.remove.mutationOptions());
  const { words } = useWords();
  const [isConfirming, setIsConfirming] = useState(false);
  const asked = { project: reference, cohort: id };
  const refresh = () => client.invalidateQueries({ queryKey: trpc.insights.pathKey() });
  return (
    <span className={css['actions']}>
      {people !== null && (
        <Button
          small
          kind="quiet"
          icon="refresh"
          iconOnly
          className="script-only"
          busy={recompute.isPending && own.updating}
          onClick={() =>
            recompute.mutate(asked, {
              onSuccess: async () => {
                await refresh();
                showToast(own.updated);
              },
              onError: (error) => showToast(words.errors.codes[failureOf(error).code]),
            })
          }
        >
          {own.updateNamed(name)}
        </Button>
      )}
      <ButtonLink small kind="quiet" href={`${cohortsOf(reference)}?edit=${id}`} aria-label={own.editNamed(name)}>
        {own.edit}
      </ButtonLink>
      <Button small kind="quiet" aria-label={own.deleteNamed(name)} onClick={() => setIsConfirming(true)}>
        {own.delete}
      </Button>
      {isConfirming && (
        <AskFirst
          title={own.deleteTitle(name)}
          text={own.deleteText}
          action={own.delete}
          busy={own.deleting}
          onConfirm={async () => {
            await remove.mutateAsync(asked);
            showToast(own.deleted);
            await refresh();
          }}
          onClose={() => setIsConfirming(false)}
          words={(error) => (failureOf(error).code === 'conflict' ? own.inUse : own.failed)}
        />
      )}
    </span>
  );
}
