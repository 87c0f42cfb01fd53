/** What a report shows: the project in short, a dashboard or an insight. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { SelectField } from '#views/kit/Field.tsx';
import { useTrpc } from '#views/trpc.ts';
import { reportRules } from '#views/words/report-rules.ts';
import { reportWords } from '#views/words/reports.ts';
import { usePart } from '#views/words/words.tsx';
import { subjectKey } from './report-draft.ts';

interface SubjectFieldProps {
  project: string;
  subject: string;
  onChange(subject: string): void;
}

export function SubjectField({ project, subject, onChange }: SubjectFieldProps) {
  const own = usePart(reportWords);
  const rules = usePart(reportRules);
  const trpc = useTrpc();
  const { data: dashboards } = useSuspenseQuery(trpc.dashboards.list.queryOptions({ project }));
  const { data: insights } = useSuspenseQuery(trpc.insights.saved.list.queryOptions({ project }));
  return (
    <SelectField label={own.show} value={subject} onChange={({ target }) => onChange(target.value)}>
      <option value="summary">{rules.summary}</option>
      {dashboards.length > 0 && (
        <optgroup label={own.dashboards}>
          {dashboards.map(({ id, name }) => (
            <option key={id} value={subjectKey({ kind: 'dashboard', id })}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {insights.items.length > 0 && (
        <optgroup label={own.insights}>
          {insights.items.map(({ id, name }) => (
            <option key={id} value={subjectKey({ kind: 'insight', id })}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </SelectField>
  );
}
