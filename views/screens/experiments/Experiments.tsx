/** Experiments of a project: the list, one of them with its results, and the form. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { Experiment } from '#src/experiments/contract.ts';
import { experimentsOf } from '#views/frame/addresses.ts';
import { FlagTabs } from '#views/frame/FlagTabs.tsx';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { experimentWords } from '#views/words/experiments.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { ExperimentForm } from './ExperimentForm.tsx';
import css from './Experiments.module.css';
import { OpenExperiment } from './OpenExperiment.tsx';

const DAY_MS = 86_400_000;

export function queries(trpc: Trpc, { params, search }: ScreenProps): ScreenQuery[] {
  const project = params['project'] ?? '';
  const isForm = search.has('edit');
  return [
    ...frameQueries(trpc, { params, search }),
    { options: trpc.experiments.list.queryOptions({ project }), critical: true },
    ...(isForm
      ? [
          { options: trpc.flags.list.queryOptions({ project }), critical: true },
          { options: trpc.insights.goals.list.queryOptions({ project }), critical: true },
        ]
      : []),
  ];
}

export const title: ScreenModule['title'] = ({ language }) => experimentWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(experimentWords);
  const reference = params['project'] ?? '';
  const edited = search.get('edit');
  const opened = search.get('open');
  return (
    <Page
      title={own.title}
      actions={
        edited === null &&
        opened === null && (
          <Late>
            <HeadLink reference={reference} />
          </Late>
        )
      }
    >
      <div className="ph-no-capture">
        <FlagTabs project={reference} current="experiments" />
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <Content key={`${reference} ${edited} ${opened}`} reference={reference} edited={edited} opened={opened} />
        </Late>
      </div>
    </Page>
  );
}

function HeadLink({ reference }: { reference: string }) {
  const { data } = useSuspenseQuery(useTrpc().experiments.list.queryOptions({ project: reference }));
  return data.length > 0 && <NewLink reference={reference} />;
}

function NewLink({ reference }: { reference: string }) {
  const own = usePart(experimentWords);
  if (!mayCall('experiments.create', useRoleIn(reference).role)) return null;
  return (
    <ButtonLink kind="primary" small icon="plus" href={`${experimentsOf(reference)}?edit=new`}>
      {own.make}
    </ButtonLink>
  );
}

interface ContentProps {
  reference: string;
  edited: string | null;
  opened: string | null;
}

function Content({ reference, edited, opened }: ContentProps) {
  const own = usePart(experimentWords);
  const { data: experiments } = useSuspenseQuery(useTrpc().experiments.list.queryOptions({ project: reference }));
  const { role } = useRoleIn(reference);
  const isMaker = mayCall('experiments.create', role);
  const named = (id: string | null) => experiments.find((each) => String(each.id) === id) ?? null;
  const isEditable = edited === 'new' || named(edited)?.endedAt === null;
  if (isMaker && isEditable) return <ExperimentForm reference={reference} experiment={named(edited)} />;
  const open = named(opened);
  if (open !== null) return <OpenExperiment reference={reference} experiment={open} isMaker={isMaker} />;
  if (experiments.length === 0) {
    return (
      <State icon="flag" title={own.none} actions={isMaker && <NewLink reference={reference} />}>
        {own.noneText} {!isMaker && own.noneViewer}
      </State>
    );
  }
  return <List reference={reference} experiments={experiments} />;
}

function List({ reference, experiments }: { reference: string; experiments: readonly Experiment[] }) {
  const own = usePart(experimentWords);
  const { format } = useWords();
  const { timeZone } = useRoleIn(reference);
  const now = useServerTime();
  const thisYear = Number(dateIn(now, timeZone).slice(0, 4));
  const { columns } = own;
  return (
    <DataTable
      caption={own.list}
      className={css['list']}
      columns={[
        { key: 'name', head: columns.name },
        { key: 'state', head: columns.state },
        { key: 'flag', head: columns.flag, wideOnly: true },
        { key: 'started', head: columns.started, wideOnly: true },
        { key: 'decision', head: columns.decision, wideOnly: true },
      ]}
      rows={experiments.map((experiment) => ({
        key: String(experiment.id),
        cells: {
          name: (
            <Link href={`${experimentsOf(reference)}?open=${experiment.id}`} className={css['name']}>
              {experiment.name}
            </Link>
          ),
          state:
            experiment.endedAt === null
              ? own.runningDay(format.number(Math.max(1, Math.ceil((now - experiment.startedAt) / DAY_MS))))
              : own.ended,
          flag: experiment.flag === null ? missing : <span className="mono">{experiment.flag.key}</span>,
          started: format.day(dateIn(experiment.startedAt, timeZone), thisYear),
          decision:
            experiment.endedAt === null
              ? missing
              : experiment.shipped === null
                ? own.notShipped
                : own.shipped(experiment.shipped),
        },
      }))}
    />
  );
}
