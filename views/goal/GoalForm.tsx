/** Makes or changes a goal, and says meanwhile what it would have counted. */

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Goal, GoalKind } from '#src/insights/goals/contract.ts';
import { MAX_GOAL_MATCHES } from '#src/insights/goals/values.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { isProject } from '#views/frame/queries.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { CheckField, Field, FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import { type Failure, useTrpc } from '#views/trpc.ts';
import { goalWords } from '#views/words/goals.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { EventNameField } from './EventNameField.tsx';
import { ConditionFields, MatchFields } from './GoalFields.tsx';
import css from './GoalForm.module.css';
import { GoalPreview } from './GoalPreview.tsx';
import { type Draft, draftOf, missingIn, newMatch, sentOf } from './goal-draft.ts';
import { useKnown } from './use-known.ts';

const kinds: GoalKind[] = ['event', 'page', 'action'];

export interface GoalFormProps {
  reference: string;
  /** Null: a new one is made. */
  goal: Goal | null;
  /** Where it leads once the goal is saved, or is not to be; `onDone` instead, where the page stays as it is. */
  doneHref: string;
  onDone?: (() => void) | undefined;
}

export function GoalForm({ reference, goal, doneHref, onDone }: GoalFormProps) {
  const own = usePart(goalWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const { format } = useWords();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const timeZone = projects.find((each) => isProject(each, reference))?.timeZone ?? 'UTC';
  const [draft, setDraft] = useState<Draft>(() => draftOf(goal));
  const change = (over: Partial<Draft>) => setDraft((before) => ({ ...before, ...over }));
  const create = useMutation(trpc.insights.goals.create.mutationOptions());
  const update = useMutation(trpc.insights.goals.change.mutationOptions());
  const fields = useRef<HTMLFormElement>(null);
  const form = useForm<string>({
    check: () =>
      Object.fromEntries([...missingIn(draft), ...refusedBy(fields.current)].map((name) => [name, own.missing])),
    async send() {
      const sent = { project: reference, name: draft.name, ...sentOf(draft) };
      if (goal === null) await create.mutateAsync(sent);
      else await update.mutateAsync({ ...sent, goal: goal.id });
      await client.invalidateQueries({ queryKey: trpc.insights.pathKey() });
      showToast(own.saved);
      if (onDone) onDone();
      else navigate(doneHref);
    },
    words: ({ code, field }) => (code === 'conflict' && field === 'name' ? { name: own.nameTaken } : null),
  });
  const missing = missingIn(draft);
  // Fields filled in since the last check are no longer missing.
  const errors = Object.fromEntries(
    Object.entries(form.errors).filter(([name, error]) => error !== own.missing || missing.includes(name)),
  );
  return (
    <form data-own="" ref={fields} className={css['form']} onSubmit={form.onSubmit} noValidate>
      <NeedsScript />
      <h2>{goal === null ? own.newTitle : own.editTitle(goal.name)}</h2>
      {goal !== null && <p className="dim">{own.changeNote(format.day(dateIn(goal.changedAt, timeZone), 0))}</p>}
      <TextField
        label={own.name}
        name="name"
        error={errors['name']}
        value={draft.name}
        maxLength={MAX_SHOWN_NAME_LENGTH}
        autoComplete="off"
        onChange={({ target }) => change({ name: target.value })}
      />
      <SelectField
        label={own.kind}
        name="kind"
        hint={own.kindHint[draft.kind]}
        value={draft.kind}
        onChange={({ target }) => change({ kind: target.value as GoalKind })}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {own.kinds[kind]}
          </option>
        ))}
      </SelectField>
      {draft.kind === 'event' && (
        <>
          <EventNameField
            reference={reference}
            name="event"
            hint={own.eventHint}
            error={errors['event']}
            value={draft.event}
            onChange={(event) => change({ event })}
          />
          <ConditionFields
            reference={reference}
            conditions={draft.conditions}
            errors={errors}
            onChange={(conditions) => change({ conditions })}
          />
        </>
      )}
      {draft.kind === 'page' && (
        <Field label={own.pages} hint={own.pagesHint} error={errors['pages']}>
          {(names) => (
            <textarea
              {...names}
              {...plain}
              name="pages"
              rows={3}
              className={`${css['text']} mono`}
              value={draft.pages}
              onChange={({ target }) => change({ pages: target.value })}
            />
          )}
        </Field>
      )}
      {draft.kind === 'action' && (
        <>
          {draft.ways.map((way, place) => (
            <MatchFields
              key={way.key}
              reference={reference}
              way={way}
              number={place + 1}
              errors={errors}
              onChange={(over) =>
                change({ ways: draft.ways.map((each) => (each.key === way.key ? { ...each, ...over } : each)) })
              }
              onRemove={
                draft.ways.length === 1 ? null : () => change({ ways: draft.ways.filter(({ key }) => key !== way.key) })
              }
            />
          ))}
          {draft.ways.length < MAX_GOAL_MATCHES && (
            <Button small className={css['add']} onClick={() => change({ ways: [...draft.ways, newMatch()] })}>
              {own.addWay}
            </Button>
          )}
        </>
      )}
      <AmountFields reference={reference} draft={draft} errors={errors} onChange={change} />
      <Late>
        <GoalPreview reference={reference} draft={missing.some((name) => name !== 'name') ? null : sentOf(draft)} />
      </Late>
      <FormError>{form.failure && <FailureText failure={form.failure} />}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={form.busy && own.saving}>
          {own.save}
        </Button>
        {onDone ? (
          <Button onClick={onDone}>{own.cancel}</Button>
        ) : (
          <ButtonLink href={doneHref}>{own.cancel}</ButtonLink>
        )}
      </div>
    </form>
  );
}

/** No autocorrection: names are case-sensitive. */
const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

/** Names of the fields that cannot tell what is in them, such as a time of which a part is written: they say so themselves. */
function refusedBy(form: HTMLFormElement | null): string[] {
  return [...(form?.querySelectorAll('input') ?? [])].filter((field) => !field.checkValidity()).map(({ name }) => name);
}

function FailureText({ failure: { code, field } }: { failure: Failure }) {
  const own = usePart(goalWords);
  if (code === 'conflict') return own.tooMany;
  if (code !== 'invalid') return own.failed;
  return field === 'selector' ? own.wrongSelector : own.wrong;
}

interface AmountFieldsProps {
  reference: string;
  draft: Draft;
  errors: Partial<Record<string, string>>;
  onChange(over: Partial<Draft>): void;
}

function AmountFields({ reference, draft, errors, onChange }: AmountFieldsProps) {
  const own = usePart(goalWords);
  const { properties } = useKnown(reference);
  return (
    <>
      <CheckField
        label={own.amount}
        hint={own.amountHint}
        name="hasAmount"
        checked={draft.hasAmount}
        onChange={({ target }) => onChange({ hasAmount: target.checked })}
      />
      {draft.hasAmount && (
        <div className={css['three']}>
          <ComboboxField
            label={own.amountProperty}
            mono
            name="property"
            error={errors['property']}
            value={draft.property}
            options={properties}
            onChange={(property) => onChange({ property })}
          />
          <ComboboxField
            label={own.currencyProperty}
            mono
            name="currencyProperty"
            value={draft.currencyProperty}
            options={properties}
            onChange={(currencyProperty) => onChange({ currencyProperty })}
          />
          <TextField
            label={own.currency}
            hint={own.currencyHint}
            name="currency"
            value={draft.currency}
            maxLength={3}
            {...plain}
            onChange={({ target }) => onChange({ currency: target.value })}
          />
        </div>
      )}
    </>
  );
}
