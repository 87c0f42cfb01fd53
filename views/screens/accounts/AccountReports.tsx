/** Reports by email that the account gets, of all projects. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { OwnReport } from '#src/reports/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import css from '#views/kit/Records.module.css';
import { Section } from '#views/kit/Section.tsx';
import { useTrpc } from '#views/trpc.ts';
import { ownReportWords } from '#views/words/own-reports.ts';
import { reportRules, scheduleText } from '#views/words/report-rules.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function AccountReports({ timeZone }: { timeZone: string }) {
  const own = usePart(ownReportWords);
  const { data } = useSuspenseQuery(useTrpc().reports.own.queryOptions());
  return (
    <Section title={own.own} text={own.text}>
      {data.length === 0 ? (
        <p>{own.none}</p>
      ) : (
        <ul className={css['list']}>
          {data.map((report) => (
            <Row key={report.report} report={report} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Row({ report, timeZone }: { report: OwnReport; timeZone: string }) {
  const own = usePart(ownReportWords);
  const rules = usePart(reportRules);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const set = useMutation(
    trpc.reports.setOwn.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: trpc.reports.pathKey() }),
    }),
  );
  const { subject, project, schedule, active, paused, nextDue } = report;
  const name = subject.kind === 'summary' ? rules.summary : (report.name ?? own.gone);
  const next = nextDue === null ? null : own.next(format.dayTime(nextDue, timeZone));
  const state = !active ? own.off : paused ? own.paused : next;
  return (
    <li className={css['row']}>
      <div className={css['what']}>
        <p className={css['name']}>
          {name} · {project.name}
        </p>
        <p className={css['note']}>
          {scheduleText(schedule, rules)}
          {state !== null && ` · ${state}`}
        </p>
      </div>
      <div className={css['actions']}>
        <Button
          small
          disabled={set.isPending}
          onClick={() => set.mutate({ project: String(project.id), report: report.report, active: !active })}
        >
          {active ? own.unsubscribe : own.resubscribe}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </li>
  );
}
