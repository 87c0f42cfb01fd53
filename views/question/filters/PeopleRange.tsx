/** In which time persons did something, or came first: a range of the list, or two dates. */
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
import { rangePresets } from '#src/kit/values.ts';
import { Field, SelectField } from '#views/kit/Field.tsx';
import { dateWords } from '#views/words/dates.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart } from '#views/words/words.tsx';
import { DateInput } from '../DateInput.tsx';
import css from './FilterEditor.module.css';

export interface PeopleRangeProps {
  range: RangeInput;
  /** For first visits: without all time, which matches everyone. */
  isFirst: boolean;
  error: string | undefined;
  onChange(range: RangeInput): void;
}

const DATES = 'dates';

export function PeopleRange({ range, isFirst, error, onChange }: PeopleRangeProps) {
  const text = usePart(whoWords);
  const dates = usePart(dateWords);
  const presets = rangePresets.filter((each) => !isFirst || each !== 'all_time');
  return (
    <>
      <div {...(isFirst && { 'data-first': '' })}>
        <SelectField
          label={text.within}
          error={error}
          value={typeof range === 'string' ? range : DATES}
          onChange={({ target }) =>
            onChange(target.value === DATES ? { from: '', to: '' } : (target.value as RangePreset))
          }
        >
          {presets.map((each) => (
            <option key={each} value={each}>
              {text.when[each]}
            </option>
          ))}
          <option value={DATES}>{text.dates}</option>
        </SelectField>
      </div>
      {typeof range !== 'string' && (
        <div className={css['dates']} data-at="dates">
          {(['from', 'to'] as const).map((each) => (
            <Field key={each} label={dates[each]}>
              {(names) => (
                <DateInput {...names} value={range[each]} onChange={(date) => onChange({ ...range, [each]: date })} />
              )}
            </Field>
          ))}
        </div>
      )}
    </>
  );
}
