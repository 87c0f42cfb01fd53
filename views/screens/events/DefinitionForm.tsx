/** Form of one definition. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Definition, DefinitionKind } from '#src/explorer/contract.ts';
import { MAX_DESCRIPTION_LENGTH } from '#src/explorer/values.ts';
import { eventsOf } from '#views/frame/addresses.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { CheckField, Field, FormError, SelectField } from '#views/kit/Field.tsx';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './DefinitionForm.module.css';
import { UsedIn } from './UsedIn.tsx';

export interface DefinitionFormProps {
  project: string;
  kind: DefinitionKind;
  definition: Definition;
  people: readonly { id: number; name: string }[];
  timeZone: string;
  closeHref: string;
}

export function DefinitionForm({ project, kind, definition, people, timeZone, closeHref }: DefinitionFormProps) {
  const trpc = useTrpc();
  const client = useQueryClient();
  const { format } = useWords();
  const text = usePart(eventListWords);
  const { name, description, verified, hidden, owner, firstSeen, changedBy, changedAt } = definition;
  const save = useMutation(trpc.explorer.describe.mutationOptions());
  const form = useForm<'description' | 'verified' | 'hidden' | 'owner'>({
    async send(values) {
      await save.mutateAsync({
        project,
        kind,
        name,
        description: values.description,
        verified: values.verified === 'on',
        hidden: values.hidden === 'on',
        owner: values.owner === '' ? null : Number(values.owner),
      });
      await Promise.all([
        client.invalidateQueries({ queryKey: trpc.explorer.definitions.queryKey({ project, kind }) }),
        client.invalidateQueries({ queryKey: trpc.explorer.names.queryKey({ project }) }),
      ]);
      showToast(text.saved);
    },
  });
  // The owner may have left the team.
  const owners = owner && !people.some(({ id }) => id === owner.id) ? [...people, owner] : people;
  return (
    <ScriptedForm form={form} className={css['form']}>
      <Field label={text.description} hint={text.descriptionHint}>
        {(names) => (
          <textarea
            {...names}
            name="description"
            className={css['text']}
            rows={3}
            maxLength={MAX_DESCRIPTION_LENGTH}
            defaultValue={description}
          />
        )}
      </Field>
      <div className={css['checks']}>
        <CheckField label={text.verified} hint={text.verifiedHint} name="verified" defaultChecked={verified} />
        <CheckField label={text.hidden} hint={text.hiddenHint} name="hidden" defaultChecked={hidden} />
      </div>
      <SelectField label={text.owner} name="owner" defaultValue={owner === null ? '' : String(owner.id)}>
        <option value="">{text.nobody}</option>
        {owners.map(({ id, name: called }) => (
          <option key={id} value={id}>
            {called}
          </option>
        ))}
      </SelectField>
      <p className={css['note']}>
        {text.firstSeen}: {format.dayTime(firstSeen, timeZone)}
        {changedBy !== null &&
          changedAt !== null &&
          ` · ${text.changed(changedBy, format.dayTime(changedAt, timeZone))}`}
      </p>
      {kind === 'event' && <UsedIn project={project} event={name} />}
      <FormError>{form.failure && <ErrorMessage error={save.error} />}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={form.busy && text.saving}>
          {text.save}
        </Button>
        {kind === 'event' && (
          <ButtonLink href={`${eventsOf(project)}?${new URLSearchParams({ name })}`}>{text.toEvents}</ButtonLink>
        )}
        <ButtonLink kind="quiet" href={closeHref}>
          {text.close}
        </ButtonLink>
      </div>
    </ScriptedForm>
  );
}
