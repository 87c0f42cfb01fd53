/** When a report is sent. */
import { type ReportSchedule, reportFrequencies } from '#src/reports/values.ts';
import { SelectField } from '#views/kit/Field.tsx';
import { reportRules } from '#views/words/report-rules.ts';
import { reportWords } from '#views/words/reports.ts';
import { two } from '#views/words/signs.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Reports.module.css';

interface ScheduleFieldsProps {
  schedule: ReportSchedule;
  onChange(schedule: ReportSchedule): void;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export function ScheduleFields({ schedule, onChange }: ScheduleFieldsProps) {
  const own = usePart(reportWords);
  const rules = usePart(reportRules);
  const { frequency, weekday, hour } = schedule;
  return (
    <div className={css['row']}>
      <SelectField
        label={own.frequency}
        value={frequency}
        onChange={({ target }) => {
          const chosen = reportFrequencies.find((each) => each === target.value);
          onChange({ ...schedule, frequency: chosen ?? 'weekly' });
        }}
      >
        {reportFrequencies.map((each) => (
          <option key={each} value={each}>
            {own.frequencies[each]}
          </option>
        ))}
      </SelectField>
      {frequency === 'weekly' && (
        <SelectField
          label={own.weekday}
          value={weekday}
          onChange={({ target }) => onChange({ ...schedule, weekday: Number(target.value) })}
        >
          {rules.weekdays.map((name, day) => (
            <option key={name} value={day}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        label={own.hour}
        hint={own.hourHint}
        value={hour}
        onChange={({ target }) => onChange({ ...schedule, hour: Number(target.value) })}
      >
        {HOURS.map((each) => (
          <option key={each} value={each}>
            {two(each)}:00
          </option>
        ))}
      </SelectField>
    </div>
  );
}
