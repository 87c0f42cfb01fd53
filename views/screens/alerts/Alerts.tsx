/** Alerts of a project: those that fire first; and the form of a new one. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { AlertSummary } from '#src/alerts/contract.ts';
import { unitOf } from '#src/alerts/values.ts';
import { alertOf, alertsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { ButtonLink } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { alertRules, intervalText, ruleText, valueText } from '#views/words/alert-rules.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { AcknowledgeButton, AlertMenu } from './AlertActions.tsx';
import { AlertForm } from './AlertForm.tsx';
import css from './Alerts.module.css';
import { formQueries } from './alert-draft.ts';
import { StateBadge } from './StateBadge.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [
    ...frameQueries(trpc, props),
    { options: trpc.alerts.list.queryOptions({ project }), critical: true },
    ...(props.search.get('edit') === 'new' ? formQueries(trpc, project) : []),
  ];
}

export const title: ScreenModule['title'] = ({ language }) => alertWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(alertWords);
  const project = params['project'] ?? '';
  const isNew = search.get('edit') === 'new';
  return (
    <Page
      title={isNew ? own.newTitle : own.title}
      parent={isNew ? { title: own.title, href: alertsOf(project) } : undefined}
      actions={
        !isNew && (
          <Late>
            <HeadLink project={project} />
          </Late>
        )
      }
    >
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <Content key={`${project} ${isNew}`} project={project} isNew={isNew} search={search} />
        </Late>
      </div>
    </Page>
  );
}

/** Where there is no alert, the link stands under the words that say so. */
function HeadLink({ project }: { project: string }) {
  const { data } = useSuspenseQuery(useTrpc().alerts.list.queryOptions({ project }));
  return data.length > 0 && <NewLink project={project} />;
}

function NewLink({ project }: { project: string }) {
  const own = usePart(alertWords);
  if (!mayCall('alerts.create', useRoleIn(project).role)) return null;
  return (
    <ButtonLink kind="primary" small icon="plus" href={`${alertsOf(project)}?edit=new`}>
      {own.make}
    </ButtonLink>
  );
}

function Content({ project, isNew, search }: { project: string; isNew: boolean; search: URLSearchParams }) {
  const own = usePart(alertWords);
  const { data } = useSuspenseQuery(useTrpc().alerts.list.queryOptions({ project }));
  const isEditor = mayCall('alerts.create', useRoleIn(project).role);
  if (isEditor && isNew) return <AlertForm project={project} alert={null} search={search} />;
  if (data.length === 0) {
    return (
      <State icon="bell" title={own.none} actions={isEditor && <NewLink project={project} />}>
        {own.noneText} {!isEditor && own.noneViewer}
      </State>
    );
  }
  return <List project={project} alerts={data} isEditor={isEditor} />;
}

interface ListProps {
  project: string;
  alerts: readonly AlertSummary[];
  isEditor: boolean;
}

function List({ project, alerts, isEditor }: ListProps) {
  const own = usePart(alertWords);
  const [typed, setTyped] = useState('');
  const part = typed.trim().toLowerCase();
  const shown = alerts.filter(({ name, subjectName }) => `${name} ${subjectName}`.toLowerCase().includes(part));
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
      </div>
      <table className={css['table']}>
        <caption className="visually-hidden">{own.list}</caption>
        <thead>
          <tr>
            <th scope="col" className={css['state']}>
              {columns.state}
            </th>
            <th scope="col">{columns.alert}</th>
            <th scope="col" className={css['number']}>
              {columns.value}
            </th>
            <th scope="col" className="wide-only">
              {columns.targets}
            </th>
            {isEditor && (
              <th scope="col">
                <span className="visually-hidden">{own.edit}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((alert) => (
            <Row key={alert.id} project={project} alert={alert} isEditor={isEditor} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="dim">{own.nothingFound}</p>}
    </>
  );
}

function Row({ project, alert, isEditor }: { project: string; alert: AlertSummary; isEditor: boolean }) {
  const own = usePart(alertWords);
  const rules = usePart(alertRules);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const { last, problem } = alert;
  return (
    <tr>
      <td className={css['state']}>
        <StateBadge alert={alert} timeZone={timeZone} />
      </td>
      <th scope="row">
        <Link href={alertOf(project, alert.id)} className={css['name']}>
          {alert.name}
        </Link>
        <span className={css['sub']}>{ruleText(alert, words, rules)}</span>
        {problem !== null && <span className={`${css['sub']} ${css['problem']}`}>{own.problems[problem]}</span>}
      </th>
      <td className={`${css['number']} num`}>
        {last === null ? (
          <span className="dim">{own.notYet}</span>
        ) : (
          valueText(last.value, unitOf(alert.subject), format)
        )}
        {last !== null && (
          <span className={`${css['sub']} wide-only`}>{intervalText(alert.interval, last, timeZone, format)}</span>
        )}
      </td>
      <td className="wide-only">
        {alert.targets.length === 0
          ? own.nobody
          : [...new Set(alert.targets.map(({ kind }) => own.targets[kind]))].join(', ')}
      </td>
      {isEditor && (
        <td className={css['number']}>
          <span className={css['buttons']}>
            {/* On a phone the alert's own screen has it: here it would leave the names no room. */}
            <span className="wide-only">
              <Late>
                <AcknowledgeButton project={project} alert={alert} />
              </Late>
            </span>
            <Late>
              <AlertMenu project={project} alert={alert} />
            </Late>
          </span>
        </td>
      )}
    </tr>
  );
}
