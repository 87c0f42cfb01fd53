/** Makes or changes a cohort: by conditions, with its size now, or from a list. */
import { skipToken, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Cohort } from '#src/insights/cohorts/contract.ts';
import { MAX_COHORT_NAME, MAX_LIST_LENGTH } from '#src/insights/cohorts/values.ts';
import { MAX_CRITERIA } from '#src/insights/query/values.ts';
import { cohortsOf } from '#views/frame/addresses.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Field, FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { type Form, useForm } from '#views/kit/use-form.ts';
import { useSettled } from '#views/kit/use-settled.ts';
import { useKnown } from '#views/known.ts';
import { useNavigate } from '#views/navigation.tsx';
import { type Failure, failureOf, useTrpc } from '#views/trpc.ts';
import { cohortWords } from '#views/words/cohorts.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Cohorts.module.css';
import { Condition, type KnownCohort } from './Condition.tsx';
import { cohortsUsing, draftOf, missingIn, newCondition, peopleOfDraft } from './cohort-draft.ts';

const AFTER_MS = 500;

type Fields = 'name' | 'description' | 'list';

export function CohortForm({
  reference,
  cohort,
  cohorts,
}: {
  reference: string;
  cohort: Cohort | null;
  cohorts: Cohort[];
}) {
  const own = usePart(cohortWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const [draft, setDraft] = useState(() => draftOf(cohort?.people ?? null));
  const { match, conditions } = draft;
  const isFixed = cohort !== null && cohort.people === null;
  const create = useMutation(trpc.insights.cohorts.create.mutationOptions());
  const change = useMutation(trpc.insights.cohorts.change.mutationOptions());
  const { data: events } = useSuspenseQuery(trpc.insights.goals.known.queryOptions({ project: reference }));
  const { data: properties } = useSuspenseQuery(trpc.insights.properties.queryOptions({ project: reference }));
  const missing = isFixed ? [] : missingIn(conditions);
  const saved = useSaved(reference);
  const form = useForm<string>({
    check: ({ name }) =>
      Object.fromEntries([...(name?.trim() ? [] : ['name']), ...missing].map((each) => [each, own.missing])),
    async send({ name = '', description = '' }) {
      const people = peopleOfDraft(match, conditions);
      const sent = { project: reference, name, description };
      if (cohort === null) await create.mutateAsync({ ...sent, people });
      else await change.mutateAsync({ ...sent, cohort: cohort.id, ...(!isFixed && { people }) });
      await saved();
    },
    words: ({ code, field }) => (code === 'conflict' && field === 'name' ? { name: own.nameTaken } : null),
  });
  const known = {
    events: events.events,
    properties: properties
      .filter(({ about, name }) => about === 'person' && !name.startsWith('$cohort'))
      .map(({ name }) => name),
    cohorts: knownCohorts(cohorts, cohort),
  };
  return (
    <Frame
      reference={reference}
      form={form}
      cohort={cohort}
      title={cohort === null ? own.newTitle : own.editTitle(cohort.name)}
    >
      {!isFixed && (
        <>
          <SelectField
            label={own.match}
            name="match"
            value={match}
            onChange={({ target }) => setDraft({ ...draft, match: target.value as 'all' | 'any' })}
          >
            {(['all', 'any'] as const).map((each) => (
              <option key={each} value={each}>
                {own.matches[each]}
              </option>
            ))}
          </SelectField>
          {conditions.map((condition, at) => (
            <Condition
              key={condition.key}
              reference={reference}
              condition={condition}
              number={format.number(at + 1)}
              known={known}
              errors={Object.fromEntries(Object.entries(form.errors).filter(([name]) => missing.includes(name)))}
              onChange={(over) =>
                setDraft({
                  ...draft,
                  conditions: conditions.map((each) => (each === condition ? { ...each, ...over } : each)),
                })
              }
              onRemove={
                conditions.length === 1
                  ? null
                  : () => setDraft({ ...draft, conditions: conditions.filter((each) => each !== condition) })
              }
            />
          ))}
          {conditions.length < MAX_CRITERIA && (
            <Button
              small
              icon="plus"
              className={css['add']}
              onClick={() => setDraft({ ...draft, conditions: [...conditions, newCondition()] })}
            >
              {own.add}
            </Button>
          )}
          <Preview reference={reference} people={missing.length > 0 ? null : peopleOfDraft(match, conditions)} />
        </>
      )}
    </Frame>
  );
}

/** All but this one. */
function knownCohorts(cohorts: readonly Cohort[], cohort: Cohort | null): KnownCohort[] {
  const circular = cohort === null ? new Set<number>() : cohortsUsing(cohorts, cohort.id);
  return cohorts.flatMap(({ id, name }) => (id === cohort?.id ? [] : { name, isCircular: circular.has(id) }));
}

/** What is wrong with the conditions, or with the whole form. */
function Wrong({ failure }: { failure: Failure }) {
  const own = usePart(cohortWords);
  const isOfConditions = failure.code === 'invalid' && failure.field?.startsWith('people') === true;
  return isOfConditions ? own.wrongConditions : <Problem error={failure} />;
}

/** How many people the conditions have now. */
function Preview({ reference, people }: { reference: string; people: ReturnType<typeof peopleOfDraft> | null }) {
  const own = usePart(cohortWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const text = useSettled(JSON.stringify(people), AFTER_MS);
  const asked = JSON.parse(text) as typeof people;
  const { data, error } = useKnown({
    ...trpc.insights.cohorts.preview.queryOptions(asked === null ? skipToken : { project: reference, people: asked }),
    retry: false,
  });
  return (
    <p role="status" className={css['preview']}>
      {error !== null && asked !== null && <Wrong failure={failureOf(error)} />}
      {data !== undefined && asked !== null && own.preview(data.size, format.number(data.size))}
    </p>
  );
}

/** A list of ids or email addresses, pasted or from a file. */
export function ListForm({ reference }: { reference: string }) {
  const own = usePart(cohortWords);
  const trpc = useTrpc();
  const create = useMutation(trpc.insights.cohorts.createFromList.mutationOptions());
  const saved = useSaved(reference);
  const [list, setList] = useState('');
  /** A list that the server did not take. */
  const [refused, setRefused] = useState<string | null>(null);
  const form = useForm<Fields>({
    check: ({ name }) => ({
      ...(name.trim() === '' && { name: own.missing }),
      ...(list.trim() === '' && { list: own.missing }),
    }),
    async send({ name, description }) {
      await create.mutateAsync({ project: reference, name, description, list });
      await saved();
    },
    words({ code, field }) {
      if (code === 'conflict' && field === 'name') return { name: own.nameTaken };
      const isList = code === 'too_large' || (code === 'invalid' && field === 'list');
      if (!isList) return null;
      setRefused(list);
      return { list: own.wrongList };
    },
  });
  const isWrong = list.trim() === '' || list === refused;
  return (
    <Frame reference={reference} form={form} cohort={null} title={own.listTitle}>
      <Field label={own.file}>
        {(names) => (
          <input
            {...names}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={async ({ target }) => setList((await target.files?.[0]?.text()) ?? '')}
          />
        )}
      </Field>
      <Field label={own.list} hint={own.listHint} error={isWrong ? form.errors.list : undefined}>
        {(names) => (
          <textarea
            {...names}
            name="list"
            rows={8}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            maxLength={MAX_LIST_LENGTH}
            className={`${css['text']} mono`}
            value={list}
            onChange={({ target }) => setList(target.value)}
          />
        )}
      </Field>
    </Frame>
  );
}

interface FrameProps {
  reference: string;
  form: Pick<Form<string>, 'busy' | 'failure' | 'onSubmit'> & { errors: Readonly<Record<string, string | undefined>> };
  cohort: Cohort | null;
  title: string;
  children: ReactNode;
}

function Frame({ reference, form, cohort, title, children }: FrameProps) {
  const own = usePart(cohortWords);
  return (
    <form className={css['form']} onSubmit={form.onSubmit} noValidate>
      <NeedsScript />
      <h2>{title}</h2>
      <TextField
        label={own.name}
        name="name"
        error={form.errors['name']}
        defaultValue={cohort?.name ?? ''}
        maxLength={MAX_COHORT_NAME}
        autoComplete="off"
      />
      <TextField
        label={own.description}
        name="description"
        defaultValue={cohort?.description ?? ''}
        maxLength={400}
        autoComplete="off"
      />
      {children}
      <FormError>{form.failure && <Wrong failure={form.failure} />}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={form.busy && own.saving}>
          {own.save}
        </Button>
        <ButtonLink href={cohortsOf(reference)}>{own.cancel}</ButtonLink>
      </div>
    </form>
  );
}

/** After saving: shows the list with the new cohort. */
function useSaved(reference: string): () => Promise<void> {
  const own = usePart(cohortWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  return async () => {
    await client.invalidateQueries({ queryKey: trpc.insights.pathKey() });
    showToast(own.saved);
    navigate(cohortsOf(reference));
  };
}
