/** Changes of a flag at a moment to come, and a form for one more. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Flag, FlagSchedule, ScheduledChange } from '#src/flags/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Field, FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useKnown } from '#views/known.ts';
import { DateInput } from '#views/question/DateInput.tsx';
import { momentOf } from '#views/question/moment.ts';
import { isDate } from '#views/question/question.ts';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { flagWords } from '#views/words/flags.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Flags.module.css';
import { failureText } from './failure-text.ts';
import { numberOf } from './flag-draft.ts';

export interface FlagSchedulesProps {
  reference: string;
  flag: Flag;
  timeZone: string;
}

export function FlagSchedules({ reference, flag, timeZone }: FlagSchedulesProps) {
  const own = usePart(flagWords);
  const { data: schedules = [] } = useKnown(
    useTrpc().flags.schedules.queryOptions({ project: reference, flag: flag.id }),
  );
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={css['part']} aria-label={own.schedules}>
      <h3>{own.schedules}</h3>
      {schedules.length === 0 && <p className="dim">{own.schedulesNone}</p>}
      {schedules.length > 0 && (
        <ul className={css['history']}>
          {schedules.map((schedule) => (
            <ScheduledRow key={schedule.id} reference={reference} flag={flag} timeZone={timeZone} schedule={schedule} />
          ))}
        </ul>
      )}
      {isOpen ? (
        <ScheduleForm reference={reference} flag={flag} timeZone={timeZone} onClose={() => setIsOpen(false)} />
      ) : (
        <Button small icon="plus" onClick={() => setIsOpen(true)}>
          {own.schedule}
        </Button>
      )}
    </section>
  );
}

function ScheduledRow({ reference, flag, timeZone, schedule }: FlagSchedulesProps & { schedule: FlagSchedule }) {
  const own = usePart(flagWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const cancel = useMutation(trpc.flags.cancelSchedule.mutationOptions());
  const what = useChangeText()(schedule.change);

  async function onCancel(): Promise<void> {
    try {
      await cancel.mutateAsync({ project: reference, flag: flag.id, schedule: schedule.id });
      showToast(own.scheduleCanceled);
    } catch (error) {
      showToast(failureText(failureOf(error), own));
    }
    await client.invalidateQueries({ queryKey: trpc.flags.schedules.pathKey() });
  }

  return (
    <li className={css['scheduled']}>
      <span>
        {what}
        <span className="dim">
          {' '}
          · {format.day(dateIn(schedule.at, timeZone), 0)}, {format.time(schedule.at, timeZone)} ·{' '}
          {own.scheduleBy(schedule.by.name)}
        </span>
        {schedule.problem !== null && <span className={css['wrong']}> {own.scheduleFailed}</span>}
      </span>
      <Button small kind="quiet" icon="x" iconOnly disabled={cancel.isPending} onClick={() => void onCancel()}>
        {own.cancelSchedule(what)}
      </Button>
    </li>
  );
}

function useChangeText(): (change: ScheduledChange) => string {
  const own = usePart(flagWords);
  const { format } = useWords();
  return (change) => {
    if ('active' in change) return change.active ? own.scheduleOn : own.scheduleOff;
    return own.scheduleTo(format.number(change.condition + 1), format.percent(change.rollout / 100));
  };
}

type FieldName = 'what' | 'rollout' | 'day' | 'time';

function ScheduleForm({ reference, flag, timeZone, onClose }: FlagSchedulesProps & { onClose(): void }) {
  const own = usePart(flagWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const time = useServerTime();
  const add = useMutation(trpc.flags.schedule.mutationOptions());
  const { active, filters } = flag.definition;
  /** `on`, `off`, or the place of a condition. */
  const [what, setWhat] = useState(active ? 'off' : 'on');
  const [day, setDay] = useState(dateIn(time, timeZone));
  const isRollout = /^\d+$/.test(what);
  const form = useForm<FieldName>({
    check: (values) => ({
      ...(!isDate(day) && { day: own.missing }),
      ...(values.time === '' && { time: own.missing }),
      ...(isRollout && !(numberOf(values.rollout) >= 0 && numberOf(values.rollout) <= 100) && { rollout: own.missing }),
    }),
    async send(values) {
      const change = isRollout
        ? { condition: Number(what), rollout: numberOf(values.rollout) }
        : { active: what === 'on' };
      await add.mutateAsync({ project: reference, flag: flag.id, at: momentOf(day, values.time, timeZone), change });
      showToast(own.scheduled);
      await client.invalidateQueries({ queryKey: trpc.flags.schedules.pathKey() });
      onClose();
    },
    words: ({ field, code }) => {
      if (field !== 'at') return null;
      return { time: code === 'conflict' ? own.scheduleFull : own.schedulePast };
    },
  });
  const { errors, failure, busy } = form;
  return (
    <form className={css['schedule']} onSubmit={form.onSubmit} noValidate>
      <SelectField label={own.scheduleChange} name="what" value={what} onChange={({ target }) => setWhat(target.value)}>
        <option value="on">{own.scheduleOn}</option>
        <option value="off">{own.scheduleOff}</option>
        {filters.groups.map((_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions are their places
          <option key={at} value={String(at)}>
            {own.scheduleRollout(format.number(at + 1))}
          </option>
        ))}
      </SelectField>
      {isRollout && (
        <TextField
          label={own.rollout}
          error={errors.rollout}
          name="rollout"
          inputMode="decimal"
          autoComplete="off"
          defaultValue="100"
        />
      )}
      <div className={css['pair']}>
        <Field label={own.scheduleDay} error={errors.day}>
          {(names) => <DateInput {...names} name="day" value={day} onChange={setDay} />}
        </Field>
        <TextField
          label={own.scheduleTime}
          hint={own.scheduleZone(format.zone(time, timeZone))}
          error={errors.time}
          name="time"
          type="time"
        />
      </div>
      <FormError>{failure && failureText(failure, own)}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" small busy={busy && own.scheduling}>
          {own.schedule}
        </Button>
        <Button small kind="quiet" onClick={onClose}>
          {own.cancel}
        </Button>
      </div>
    </form>
  );
}
