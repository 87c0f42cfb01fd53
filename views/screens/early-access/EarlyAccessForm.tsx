/** Offers the feature of a flag to the people of a site, or changes what is said of it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EarlyAccessFeature, Flag } from '#src/flags/contract.ts';
import { type EarlyAccessStage, earlyAccessStages } from '#src/flags/values.ts';
import { earlyAccessOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { FormError, SelectField, TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { NeedsScript } from '#views/kit/NeedsScript.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { earlyAccessWords } from '#views/words/early-access.ts';
import { usePart } from '#views/words/words.tsx';
import css from './EarlyAccess.module.css';

export interface EarlyAccessFormProps {
  reference: string;
  /** Null: a new one. */
  feature: EarlyAccessFeature | null;
  flags: readonly Flag[];
}

export function EarlyAccessForm({ reference, feature, flags }: EarlyAccessFormProps) {
  const own = usePart(earlyAccessWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const save = useMutation(trpc.flags.saveEarlyAccess.mutationOptions());
  const offered = flags.filter(
    ({ earlyAccess, definition }) =>
      earlyAccess === null && (definition.filters.aggregation_group_type_index ?? null) === null,
  );
  const [flag, setFlag] = useState(String(feature?.flag ?? offered[0]?.id ?? ''));
  const [stage, setStage] = useState<EarlyAccessStage>(feature?.stage ?? 'beta');
  const form = useForm<string>({
    check: (values) => ({
      ...(values['name']?.trim() === '' && { name: own.missing }),
      ...(flag === '' && { flag: own.noneFlag }),
      ...(!isAddress(values['url'] ?? '') && { url: own.urlWrong }),
    }),
    async send(values) {
      await save.mutateAsync({
        project: reference,
        flag: Number(flag),
        name: values['name'] ?? '',
        description: values['description'] ?? '',
        stage,
        documentationUrl: values['url']?.trim() || null,
      });
      await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
      showToast(own.saved);
      navigate(earlyAccessOf(reference));
    },
  });
  const { errors, failure, busy } = form;
  const flagKey = feature?.flagKey ?? flags.find(({ id }) => String(id) === flag)?.key ?? '';
  return (
    <form data-own="" className={css['form']} onSubmit={form.onSubmit} noValidate>
      <NeedsScript />
      <h2>{feature === null ? own.newTitle : own.editTitle}</h2>
      {feature === null && (
        <SelectField
          label={own.flag}
          hint={own.flagHint}
          error={errors['flag']}
          name="flag"
          value={flag}
          onChange={({ target }) => setFlag(target.value)}
        >
          {offered.map(({ id, key }) => (
            <option key={id} value={String(id)}>
              {key}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={own.name}
        hint={own.nameHint}
        error={errors['name']}
        name="name"
        defaultValue={feature?.name ?? ''}
        maxLength={120}
        autoComplete="off"
      />
      <TextField
        label={own.description}
        name="description"
        defaultValue={feature?.description ?? ''}
        maxLength={400}
        autoComplete="off"
      />
      <SelectField
        label={own.stage}
        name="stage"
        value={stage}
        onChange={({ target }) => setStage(target.value as EarlyAccessStage)}
      >
        {earlyAccessStages.map((each) => (
          <option key={each} value={each}>
            {own.stages[each]}
          </option>
        ))}
      </SelectField>
      <TextField
        label={own.url}
        error={errors['url']}
        name="url"
        type="url"
        defaultValue={feature?.documentationUrl ?? ''}
        maxLength={500}
        autoComplete="off"
      />
      <section className={css['part']} aria-label={own.code}>
        <h3>{own.code}</h3>
        <CodeBlock title="JavaScript" code={codeFor(flagKey, stage)} />
      </section>
      <FormError>{failure && own.failed}</FormError>
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={busy && own.saving}>
          {own.save}
        </Button>
        <ButtonLink href={earlyAccessOf(reference)}>{own.cancel}</ButtonLink>
        {feature !== null && <Remove reference={reference} feature={feature} />}
      </div>
    </form>
  );
}

function isAddress(value: string): boolean {
  return value.trim() === '' || (/^https?:\/\//.test(value.trim()) && URL.canParse(value.trim()));
}

/** What a site does with its features. */
function codeFor(flagKey: string, stage: EarlyAccessStage): string {
  return [
    'posthog.getEarlyAccessFeatures((features) => {',
    `  // name, description, stage, documentationUrl, flagKey`,
    `}, true, ['${stage}']);`,
    '',
    `posthog.updateEarlyAccessFeatureEnrollment(${JSON.stringify(flagKey)}, true, '${stage}');`,
  ].join('\n');
}

function Remove({ reference, feature }: { reference: string; feature: EarlyAccessFeature }) {
  const own = usePart(earlyAccessWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const remove = useMutation(trpc.flags.removeEarlyAccess.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setIsConfirming(true)}>
        {own.remove}
      </Button>
      {isConfirming && (
        <Late>
          <AskFirst
            title={own.removeTitle}
            text={own.removeText}
            action={own.remove}
            busy={own.removing}
            onConfirm={async () => {
              await remove.mutateAsync({ project: reference, flag: feature.flag });
              showToast(own.removed);
              await client.invalidateQueries({ queryKey: trpc.flags.pathKey() });
              navigate(earlyAccessOf(reference));
            }}
            onClose={() => setIsConfirming(false)}
          />
        </Late>
      )}
    </>
  );
}
