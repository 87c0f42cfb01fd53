/** Writes a note on the charts, changes or deletes it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Annotation } from '#src/insights/annotations/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { Field, FormError, TextField } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { DateInput } from '#views/question/DateInput.tsx';
import { timeOf, whenOf } from '#views/question/moment.ts';
import { isDate } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { noteFormWords } from '#views/words/note-form.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Notes.module.css';

export interface NoteFormProps {
  reference: string;
  /** Null: a new one. */
  note: Annotation | null;
  /** Its date, or the one that is proposed. */
  day: string;
  timeZone: string;
  onClose(): void;
}

type FieldName = 'day' | 'time' | 'text' | 'url';

export function NoteForm({ reference, note, day, timeZone, onClose }: NoteFormProps) {
  const own = usePart(noteFormWords);
  const { format } = useWords();
  const time = note !== null && note.day === null ? timeOf(note.at, timeZone) : '';
  const trpc = useTrpc();
  const client = useQueryClient();
  const create = useMutation(trpc.insights.annotations.create.mutationOptions());
  const change = useMutation(trpc.insights.annotations.change.mutationOptions());
  const remove = useMutation(trpc.insights.annotations.remove.mutationOptions());
  const [chosen, setChosen] = useState(day);
  const [isSure, setIsSure] = useState(false);
  const done = async () => {
    await client.invalidateQueries({ queryKey: trpc.insights.annotations.pathKey() });
    onClose();
  };
  const form = useForm<FieldName>({
    check: (values, { submitter }) =>
      submitter === 'delete'
        ? {}
        : {
            ...(!isDate(chosen) && { day: own.wrongDay }),
            ...(values.text.trim() === '' && { text: own.missing }),
            ...(values.url.trim() !== '' &&
              !/^https?:\/\/[^\s"<>]+$/i.test(values.url.trim()) && { url: own.wrongUrl }),
          },
    async send(values, { submitter }) {
      if (note !== null && submitter === 'delete') {
        await remove.mutateAsync({ project: reference, annotation: note.id });
        showToast(own.deleted);
        return done();
      }
      // One of a moment stays of it, to the second, unless it is moved.
      const isUnmoved = note !== null && time !== '' && chosen === day && values.time === time;
      const when = isUnmoved ? { at: note.at } : whenOf(chosen, values.time, timeZone);
      const sent = { project: reference, when, text: values.text, url: values.url.trim() || null };
      if (note === null) await create.mutateAsync(sent);
      else await change.mutateAsync({ ...sent, annotation: note.id });
      return done();
    },
    words: ({ code, field }) => (code === 'invalid' && field === 'day' ? { day: own.wrongDay } : null),
  });
  const { errors, failure, busy } = form;
  const title = note === null ? own.addTitle : own.editTitle;
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <form className={css['body']} onSubmit={form.onSubmit} noValidate>
        <h2>{title}</h2>
        <TextField
          label={own.text}
          hint={own.textHint}
          error={errors.text}
          name="text"
          defaultValue={note?.text}
          maxLength={400}
          autoComplete="off"
        />
        <div className={css['moment']}>
          <Field label={own.day} error={errors.day}>
            {(names) => <DateInput {...names} name="day" value={chosen} onChange={setChosen} />}
          </Field>
          <TextField
            label={own.time}
            hint={own.timeHint(format.zone(note?.at ?? Date.parse(day), timeZone))}
            name="time"
            type="time"
            defaultValue={time}
          />
        </div>
        <TextField
          label={own.url}
          error={errors.url}
          name="url"
          type="url"
          defaultValue={note?.url ?? ''}
          maxLength={2000}
          autoComplete="off"
        />
        <FormError>{failure && (failure.code === 'conflict' ? own.tooMany : own.failed)}</FormError>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.cancel}</Button>
          <Button type="submit" kind="primary" busy={busy && own.saving}>
            {own.save}
          </Button>
          {note !== null &&
            (isSure ? (
              // Of its own: the press that asked must not be taken for the answer.
              <Button key="sure" type="submit" name="delete" kind="quiet" className={css['danger']}>
                {own.deleteSure}
              </Button>
            ) : (
              <Button key="ask" kind="quiet" className={css['danger']} onClick={() => setIsSure(true)}>
                {own.delete}
              </Button>
            ))}
        </div>
      </form>
    </Dialog>
  );
}
