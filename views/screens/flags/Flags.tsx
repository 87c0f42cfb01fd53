/** Feature flags of a project: who gets them, whether they are on, when they were last called, and the form of one. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { Flag } from '#src/flags/contract.ts';
import { STALE_FULL_DAYS, STALE_UNCALLED_DAYS } from '#src/flags/values.ts';
import { searchable } from '#src/kit/search/values.ts';
import { flagsOf } from '#views/frame/addresses.ts';
import { FlagTabs } from '#views/frame/FlagTabs.tsx';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useKnown } from '#views/known.ts';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { FlagForm } from './FlagForm.tsx';
import { FlagSwitch } from './FlagSwitch.tsx';
import css from './Flags.module.css';
import { type Called, calledOf, callsInput } from './flag-calls.ts';
import { versionKey } from './flag-draft.ts';

const DAY_MS = 86_400_000;

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [...frameQueries(trpc, props), { options: trpc.flags.list.queryOptions({ project }), critical: true }];
}

export const title: ScreenModule['title'] = ({ language }) => flagWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(flagWords);
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
        <FlagTabs project={reference} current="flags" />
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <Content key={`${reference} ${edited}`} reference={reference} edited={edited} />
        </Late>
      </div>
    </Page>
  );
}

function HeadLink({ reference }: { reference: string }) {
  const { data: flags } = useSuspenseQuery(useTrpc().flags.list.queryOptions({ project: reference }));
  return flags.length > 0 && <NewLink reference={reference} />;
}

function NewLink({ reference }: { reference: string }) {
  const own = usePart(flagWords);
  if (!mayCall('flags.create', useRoleIn(reference).role)) return null;
  return (
    <ButtonLink kind="primary" small icon="plus" href={`${flagsOf(reference)}?edit=new`}>
      {own.make}
    </ButtonLink>
  );
}

function Content({ reference, edited }: { reference: string; edited: string | null }) {
  const own = usePart(flagWords);
  const { data: flags } = useSuspenseQuery(useTrpc().flags.list.queryOptions({ project: reference }));
  const { role, timeZone } = useRoleIn(reference);
  const isMaker = mayCall('flags.create', role);
  const flag = flags.find(({ id }) => String(id) === edited) ?? null;
  if (isMaker && (edited === 'new' || flag !== null)) {
    const key = flag === null ? 'new' : versionKey(flag);
    return <FlagForm key={key} reference={reference} flag={flag} flags={flags} timeZone={timeZone} />;
  }
  if (flags.length === 0) {
    return (
      <State icon="flag" title={own.none} actions={isMaker && <NewLink reference={reference} />}>
        {own.noneText} {!isMaker && own.noneViewer}
      </State>
    );
  }
  return <List reference={reference} flags={flags} isMaker={isMaker} timeZone={timeZone} />;
}

interface ListProps {
  reference: string;
  flags: readonly Flag[];
  isMaker: boolean;
  timeZone: string;
}

function List({ reference, flags, isMaker, timeZone }: ListProps) {
  const own = usePart(flagWords);
  const [typed, setTyped] = useState('');
  // Asked by the browser: the flags are shown without it, and an answer that came between both drawings would make them differ.
  const { data } = useKnown(useTrpc().insights.query.trends.queryOptions(callsInput(reference)));
  const part = searchable(typed.trim());
  const shown = flags.filter(({ key, description }) => searchable(`${key} ${description}`).includes(part));
  const { columns } = own;
  return (
    <>
      <div className={css['bar']}>
        <input
          type="search"
          className="input"
          aria-label={own.find}
          placeholder={own.find}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <p className="dim">{own.pace}</p>
      </div>
      <table className={css['table']}>
        <caption className="visually-hidden">{own.list}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.state}</th>
            <th scope="col">{columns.flag}</th>
            <th scope="col" className="wide-only">
              {columns.who}
            </th>
            <th scope="col" className={classNames('num wide-only', css['number'])}>
              {columns.calls}
            </th>
            <th scope="col" className={classNames('num wide-only', css['number'])}>
              {columns.called}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((flag) => (
            <Row
              key={flag.id}
              reference={reference}
              flag={flag}
              called={data === undefined ? null : calledOf(data, flag.key)}
              isMaker={isMaker}
              timeZone={timeZone}
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="dim">{own.nothingFound}</p>}
    </>
  );
}

interface RowProps {
  reference: string;
  flag: Flag;
  /** Null: not known yet. */
  called: Called | null;
  isMaker: boolean;
  timeZone: string;
}

function Row({ reference, flag, called, isMaker, timeZone }: RowProps) {
  const own = usePart(flagWords);
  const { format } = useWords();
  const now = useServerTime();
  const who = useRule(flag);
  const thisYear = Number(dateIn(now, timeZone).slice(0, 4));
  const stale = staleText(flag, called, now, own);
  return (
    <tr className={flag.definition.active ? undefined : css['off']}>
      <td>
        <FlagSwitch reference={reference} flag={flag} isMaker={isMaker} />
      </td>
      <th scope="row">
        {isMaker ? (
          <Link href={`${flagsOf(reference)}?edit=${flag.id}`} className={`${css['name']} mono`}>
            {flag.key}
          </Link>
        ) : (
          <span className="mono">{flag.key}</span>
        )}{' '}
        {(flag.definition.filters.multivariate?.variants.length ?? 0) > 0 && (
          <span className={css['badge']}>{own.variants}</span>
        )}
        {stale !== null && (
          <span className={css['badge']} title={stale}>
            {own.stale}
          </span>
        )}
        {flag.description !== '' && <span className={css['sub']}>{flag.description}</span>}
        {stale !== null && <span className={css['sub']}>{stale}</span>}
        <span className={`${css['sub']} ${css['narrow']}`}>{who}</span>
      </th>
      <td className="wide-only">{who}</td>
      <td className={classNames('num wide-only', css['number'])}>
        {called === null ? missing : format.number(called.total)}
      </td>
      <td className={classNames('num wide-only', css['number'])}>
        {called === null && missing}
        {called !== null && called.lastDay === null && <span className="dim">{own.notCalled}</span>}
        {called != null && called.lastDay !== null && format.day(dateIn(called.lastDay, timeZone), thisYear)}
      </td>
    </tr>
  );
}

/** Rollout in one line. */
function useRule({ definition: { filters } }: Flag): string {
  const own = usePart(flagWords);
  const { format } = useWords();
  if (filters.groups.length === 0) return own.nobody;
  return filters.groups
    .map(({ properties, rollout_percentage }, at) => {
      const percent = format.percent((rollout_percentage ?? 100) / 100);
      if (properties.length > 0) return own.conditionText(percent, properties.map(({ key }) => key).join(', '));
      return (rollout_percentage ?? 100) === 100
        ? at === 0
          ? own.everyone
          : own.everyone.toLowerCase()
        : own.share(percent);
    })
    .join(own.nextCondition);
}

function staleText(flag: Flag, called: Called | null, now: number, own: (typeof flagWords)['en']): string | null {
  const { active, filters } = flag.definition;
  const days = (now - flag.changedAt) / DAY_MS;
  const [first] = filters.groups;
  const isFull = active && first?.properties.length === 0 && (first.rollout_percentage ?? 100) === 100;
  const hasVariants = (filters.multivariate?.variants.length ?? 0) > 0;
  if (isFull && !hasVariants && days >= STALE_FULL_DAYS) return own.staleFull;
  if (called === null || days < STALE_UNCALLED_DAYS) return null;
  return now - (called.lastDay ?? 0) > STALE_UNCALLED_DAYS * DAY_MS ? own.staleUncalled : null;
}
