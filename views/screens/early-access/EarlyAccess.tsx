/** Features that people can turn on for themselves: the list, and the form of one. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { mayCall } from '#src/accounts/values.ts';
import type { EarlyAccessRow } from '#src/flags/contract.ts';
import { earlyAccessOf } from '#views/frame/addresses.ts';
import { FlagTabs } from '#views/frame/FlagTabs.tsx';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { earlyAccessWords } from '#views/words/early-access.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './EarlyAccess.module.css';
import { EarlyAccessForm } from './EarlyAccessForm.tsx';

export function queries(trpc: Trpc, { params, search }: ScreenProps): ScreenQuery[] {
  const project = params['project'] ?? '';
  return [
    ...frameQueries(trpc, { params, search }),
    { options: trpc.flags.earlyAccess.queryOptions({ project }), critical: true },
    { options: trpc.flags.list.queryOptions({ project }), critical: true },
  ];
}

export const title: ScreenModule['title'] = ({ language }) => earlyAccessWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(earlyAccessWords);
  const reference = params['project'] ?? '';
  const edited = search.get('edit');
  return (
    <Page
      title={own.title}
      actions={
        edited === null && (
          <Late>
            <HeadLink reference={reference} />
          </Late>
        )
      }
    >
      <div className="ph-no-capture">
        <FlagTabs project={reference} current="earlyAccess" />
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <Content key={`${reference} ${edited}`} reference={reference} edited={edited} />
        </Late>
      </div>
    </Page>
  );
}

function HeadLink({ reference }: { reference: string }) {
  const { data } = useSuspenseQuery(useTrpc().flags.earlyAccess.queryOptions({ project: reference }));
  return data.length > 0 && <NewLink reference={reference} />;
}

function NewLink({ reference }: { reference: string }) {
  const own = usePart(earlyAccessWords);
  const { data: flags } = useSuspenseQuery(useTrpc().flags.list.queryOptions({ project: reference }));
  if (!mayCall('flags.create', useRoleIn(reference).role)) return null;
  if (!flags.some(({ earlyAccess }) => earlyAccess === null)) return null;
  return (
    <ButtonLink kind="primary" small icon="plus" href={`${earlyAccessOf(reference)}?edit=new`}>
      {own.make}
    </ButtonLink>
  );
}

function Content({ reference, edited }: { reference: string; edited: string | null }) {
  const own = usePart(earlyAccessWords);
  const trpc = useTrpc();
  const { data: features } = useSuspenseQuery(trpc.flags.earlyAccess.queryOptions({ project: reference }));
  const { data: flags } = useSuspenseQuery(trpc.flags.list.queryOptions({ project: reference }));
  const isMaker = mayCall('flags.create', useRoleIn(reference).role);
  const feature = features.find(({ flag }) => String(flag) === edited) ?? null;
  if (isMaker && (edited === 'new' || feature !== null)) {
    return <EarlyAccessForm reference={reference} feature={feature} flags={flags} />;
  }
  if (features.length === 0) {
    const hint = !isMaker ? own.noneViewer : flags.length === 0 ? own.noneFlag : '';
    return (
      <State icon="flag" title={own.none} actions={isMaker && <NewLink reference={reference} />}>
        {own.noneText} {hint}
      </State>
    );
  }
  return <List reference={reference} features={features} isMaker={isMaker} />;
}

interface ListProps {
  reference: string;
  features: readonly EarlyAccessRow[];
  isMaker: boolean;
}

function List({ reference, features, isMaker }: ListProps) {
  const own = usePart(earlyAccessWords);
  const { format } = useWords();
  const { columns } = own;
  return (
    <DataTable
      caption={own.list}
      className={css['list']}
      columns={[
        { key: 'name', head: columns.name },
        { key: 'stage', head: columns.stage },
        { key: 'flag', head: columns.flag, wideOnly: true },
        { key: 'optedIn', head: columns.optedIn, isFigure: true },
        { key: 'optedOut', head: columns.optedOut, isFigure: true, wideOnly: true },
      ]}
      rows={features.map(({ flag, flagKey, active, name, description, stage, optedIn, optedOut }) => ({
        key: String(flag),
        cells: {
          name: (
            <>
              {isMaker ? (
                <Link href={`${earlyAccessOf(reference)}?edit=${flag}`} className={css['name']}>
                  {name}
                </Link>
              ) : (
                name
              )}
              {description !== '' && <span className={css['sub']}>{description}</span>}
            </>
          ),
          stage: own.stageNames[stage],
          flag: (
            <>
              <span className="mono">{flagKey}</span>
              {!active && <span className={css['sub']}>{own.off}</span>}
            </>
          ),
          optedIn: format.number(optedIn),
          optedOut: format.number(optedOut),
        },
      }))}
    />
  );
}
