/** What became of each due time of a report. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReportSend } from '#src/reports/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { Late } from '#views/kit/Late.tsx';
import css from '#views/reports/Reports.module.css';
import { useTrpc } from '#views/trpc.ts';
import { reportWords } from '#views/words/reports.ts';
import { usePart, useWords } from '#views/words/words.tsx';

interface ReportHistoryProps {
  project: string;
  report: number;
  name: string;
  onClose(): void;
}

export function ReportHistory({ project, report, name, onClose }: ReportHistoryProps) {
  const own = usePart(reportWords);
  const title = own.historyTitle(name);
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <div className={css['dialog']}>
        <h2>{title}</h2>
        <Late>
          <Sends project={project} report={report} />
        </Late>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}

function Sends({ project, report }: Pick<ReportHistoryProps, 'project' | 'report'>) {
  const own = usePart(reportWords);
  const { format } = useWords();
  const { timeZone } = useRoleIn(project);
  const { data } = useSuspenseQuery(useTrpc().reports.get.queryOptions({ project, report }));
  if (data.sends.length === 0) return <p>{own.noHistory}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long histories are scrolled by keyboard, too
    <section className={css['history']} tabIndex={0} aria-label={own.history}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{own.sends.due}</th>
            <th scope="col">{own.sends.to}</th>
            <th scope="col">{own.sends.state}</th>
          </tr>
        </thead>
        <tbody>
          {data.sends.map((send) => (
            <tr key={`${send.dueAt} ${send.to}`}>
              <td className="num">{format.dayTime(send.dueAt, timeZone)}</td>
              <td>{send.to}</td>
              <td>
                <Result send={send} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Result({ send: { state, mail, manual, problem } }: { send: ReportSend }) {
  const own = usePart(reportWords);
  return (
    <>
      {state === 'sent' && mail !== null ? own.mail[mail] : own.sendStates[state]}
      {problem !== null && <span className={css['sub']}>{own.problems[problem]}</span>}
      {manual && <span className={css['sub']}>{own.manual}</span>}
    </>
  );
}
