/** What the project calls its groups. Saved at once, beside the form; nothing in projects whose events name no groups. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_TYPE_WORD } from '#src/profiles/groups/values.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { groupWords } from '#views/words/groups.ts';
import { usePart } from '#views/words/words.tsx';
import { Section } from './SettingsParts.tsx';
import css from './settings.module.css';

export function GroupTypes({ project, types }: { project: string; types: readonly GroupTypeName[] }) {
  const text = usePart(groupWords);
  if (types.length === 0) return null;
  return (
    <Section title={text.settings} text={text.settingsText}>
      {types.map((type) => (
        <TypeForm key={type.type} project={project} type={type} />
      ))}
    </Section>
  );
}

function TypeForm({ project, type }: { project: string; type: GroupTypeName }) {
  const text = usePart(groupWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const rename = useMutation(trpc.profiles.groups.nameType.mutationOptions());
  const form = useForm<'singular' | 'plural'>({
    check: ({ singular, plural }) => ({
      ...(singular.trim() === '' && { singular: text.missing }),
      ...(plural.trim() === '' && { plural: text.missing }),
    }),
    async send({ singular, plural }) {
      await rename.mutateAsync({ project, type: type.type, singular, plural });
      await client.invalidateQueries({ queryKey: trpc.projects.list.queryKey() });
      showToast(text.saved);
    },
  });
  return (
    <form data-own="" onSubmit={form.onSubmit} noValidate>
      <p className={css['dim']}>
        {text.sentAs} <span className="mono">{type.name}</span>
      </p>
      <div className={css['pair']}>
        <TextField
          label={text.singular}
          name="singular"
          defaultValue={type.singular}
          error={form.errors.singular}
          maxLength={MAX_TYPE_WORD}
          autoComplete="off"
        />
        <TextField
          label={text.plural}
          name="plural"
          defaultValue={type.plural}
          error={form.errors.plural}
          maxLength={MAX_TYPE_WORD}
          autoComplete="off"
        />
      </div>
      <FormError>{form.failure && <Problem error={form.failure} />}</FormError>
      <Button type="submit" className="script-only" busy={form.busy && text.saving}>
        {text.save}
      </Button>
    </form>
  );
}
