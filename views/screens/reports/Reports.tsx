/** Reports by email of a project: what, when, to whom, and when they were sent. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Report } from '#src/reports/contract.ts';
import { dashboardOf, overviewOf, savedInsightOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { State } from '#views/kit/State.tsx';
import { ReportDialog } from '#views/reports/ReportDialog.tsx';
import css from '#views/reports/Reports.module.css';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { reportRules, scheduleText } from '#views/words/report-rules.ts';
import { reportWords } from '#views/words/reports.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ReportActions } from './ReportActions.tsx';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  return [...frameQueries(trpc, props), { options: trpc.reports.list.queryOptions({ project }), critical: true }];
}

export const title: ScreenModule['title'] = ({ language }) => reportWords[language].title;

export function Screen({ params }: ScreenProps) {
  const own = usePart(reportWords);
  const project = params['project'] ?? '';
  return (
    <Page title={own.title} actions={<NewReport project={project} />}>
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={4} />}>
          <Content key={project} project={project} />
        </Late>
      </div>
    </Page>
  );
}

function NewReport({ project }: { project: string }) {
  const own = usePart(reportWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="primary" small icon="plus" className="script-only" onClick={() => setIsOpen(true)}>
        {own.make}
      </Button>
      {isOpen && (
        <Late>
          <ReportDialog project={project} subject={null} name="" report={null} onClose={() => setIsOpen(false)} />
        </Late>
      )}
    </>
  );
}

function Content({ project }: { project: string }) {
  const own = usePart(reportWords);
  const trpc = useTrpc();
  const { data: reports } = useSuspenseQuery(trpc.reports.list.queryOptions({ project }));
  if (reports.length === 0) {
    return (
      <State icon="mail" title={own.none}>
        {own.noneText}
      </State>
    );
  }
  const { columns } = own;
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{own.list}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.report}</th>
          <th scope="col" className="wide-only">
            {columns.recipients}
          </th>
          <th scope="col">{columns.next}</th>
          <th scope="col" className="wide-only">
            {columns.last}
          </th>
          <th scope="col" className={css['actions']}>
            <span className="visually-hidden">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <Row key={report.id} project={project} report={report} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  project: string;
  report: Report;
}

function Row({ project, report }: RowProps) {
  const own = usePart(reportWords);
  const rules = usePart(reportRules);
  const { format } = useWords();
  const { timeZone } = useRoleIn(project);
  const { subject, active, nextDue, lastSent, problem } = report;
  const name = subject.kind === 'summary' ? rules.summary : (report.name ?? own.gone);
  const isGone = subject.kind !== 'summary' && report.name === null;
  return (
    <tr>
      <th scope="row">
        {isGone ? (
          <span className="dim">{name}</span>
        ) : (
          <Link href={placeOf(project, subject)} className={css['name']}>
            {name}
          </Link>
        )}
        <span className={css['sub']}>{scheduleText(report.schedule, rules)}</span>
        {!active && problem !== null && <span className={`${css['sub']} ${css['problem']}`}>{own.offGone}</span>}
      </th>
      <td className="wide-only">
        <Recipients report={report} />
      </td>
      <td className="num">
        {!active ? own.paused : nextDue === null ? own.notPlanned : format.dayTime(nextDue, timeZone)}
      </td>
      <td className="wide-only num">{lastSent === null ? own.never : format.dayTime(lastSent, timeZone)}</td>
      <td className={css['actions']}>
        <Late>
          <ReportActions project={project} report={report} name={name} />
        </Late>
      </td>
    </tr>
  );
}

function Recipients({ report: { recipients } }: { report: Report }) {
  const own = usePart(reportWords);
  if (recipients.length === 0) return own.nobody;
  return recipients.map(({ account, address, name, state }) => (
    <span key={account ?? address} className={css['person']}>
      {address ?? name}
      {own.states[state] !== '' && <span className={css['sub']}>{own.states[state]}</span>}
    </span>
  ));
}

function placeOf(project: string, { kind, id }: Report['subject']): string {
  if (kind === 'dashboard') return dashboardOf(project, id ?? 0);
  return kind === 'insight' ? savedInsightOf(project, id ?? 0) : overviewOf(project);
}
