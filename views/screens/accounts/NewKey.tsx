/** Makes a key, and shows it the only time that it can be seen. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { type KeyDays, type KeyScope, keyDayNames, keyScopes } from '#src/projects/api-keys/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { CheckField, SelectField, TextField } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { AccountForm } from '#views/screens/accounts/AccountForm.tsx';
import { useTrpc } from '#views/trpc.ts';
import { keysWords } from '#views/words/keys.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Keys.module.css';

const FIRST_SCOPE = `scope ${keyScopes[0]}`;

export function NewKey({ projects }: { projects: readonly ProjectSummary[] }) {
  const text = usePart(keysWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const create = useMutation(trpc.projects.apiKeys.create.mutationOptions());
  const { prove, dialog } = useProof();
  const [isSome, setIsSome] = useState(false);
  const [made, setMade] = useState<ReadyProps['made'] | null>(null);
  const scopesId = useId();
  const projectsId = useId();
  const firstProject = `project ${projects[0]?.id}`;
  const form = useForm<string>({
    check(values) {
      const wrong: Record<string, string> = {};
      if ((values['name'] ?? '').trim() === '') wrong['name'] = text.nameMissing;
      if (!keyScopes.some((scope) => `scope ${scope}` in values)) wrong[FIRST_SCOPE] = text.scopesMissing;
      const isNone = !projects.some(({ id }) => `project ${id}` in values);
      if (values['projects'] === 'some' && isNone) wrong[firstProject] = text.projectsMissing;
      return wrong;
    },
    async send(values) {
      const answer = await prove(() =>
        create.mutateAsync({
          name: values['name'] ?? '',
          scopes: keyScopes.filter((scope) => `scope ${scope}` in values),
          projects:
            values['projects'] === 'some'
              ? projects.flatMap(({ id }) => (`project ${id}` in values ? [id] : []))
              : null,
          days: (values['days'] ?? 'quarter') as KeyDays,
        }),
      );
      if (answer === undefined) return;
      const within = projects.filter(({ id }) => values['projects'] !== 'some' || `project ${id}` in values);
      // Viewers may only ask for numbers: the example is one that its owner may try.
      const reached = within.find(({ role }) => isAtLeast(role, 'member')) ?? within[0];
      await client.invalidateQueries({ queryKey: trpc.projects.apiKeys.list.queryKey() });
      setMade({ key: answer.key, may: (scope) => `scope ${scope}` in values, project: reached?.id });
    },
    words: ({ code }) => (code === 'conflict' ? { name: text.tooMany } : null),
  });
  if (made !== null) {
    return (
      <Ready
        made={made}
        onDone={() => {
          setMade(null);
          setIsSome(false);
        }}
      />
    );
  }
  return (
    <>
      <AccountForm form={form} submit={text.make} busy={text.making}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          error={form.errors['name']}
          name="name"
          autoComplete="off"
          maxLength={MAX_SHOWN_NAME_LENGTH}
          required
        />
        <fieldset className={css['choices']} aria-describedby={scopesId}>
          <legend>{text.scopes}</legend>
          <p id={scopesId} className={css['error']}>
            {form.errors[FIRST_SCOPE]}
          </p>
          {keyScopes.map((scope) => (
            <CheckField
              key={scope}
              name={`scope ${scope}`}
              label={text.scopeNames[scope]}
              hint={text.scopeHints[scope]}
              defaultChecked={scope === 'query:read'}
            />
          ))}
        </fieldset>
        <div className={css['pair']}>
          <SelectField
            label={text.projects}
            name="projects"
            value={isSome ? 'some' : 'all'}
            onChange={({ target }) => setIsSome(target.value === 'some')}
          >
            <option value="all">{text.all}</option>
            <option value="some">{text.chosen}</option>
          </SelectField>
          <SelectField label={text.days} name="days" defaultValue="quarter">
            {keyDayNames.map((each) => (
              <option key={each} value={each}>
                {text.dayNames[each]}
              </option>
            ))}
          </SelectField>
        </div>
        {isSome && (
          <fieldset className={css['choices']} aria-describedby={projectsId}>
            <legend>{text.which}</legend>
            <p id={projectsId} className={css['error']}>
              {form.errors[firstProject]}
            </p>
            {projects.map(({ id, name, team }) => (
              <CheckField key={id} name={`project ${id}`} label={name} hint={team.name} />
            ))}
          </fieldset>
        )}
      </AccountForm>
      {dialog}
    </>
  );
}

interface ReadyProps {
  made: { key: string; may(scope: KeyScope): boolean; project: number | undefined };
  onDone(): void;
}

function Ready({ made: { key, may, project }, onDone }: ReadyProps) {
  const text = usePart(keysWords);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={css['ready']}>
      <h3 ref={heading} tabIndex={-1}>
        {text.readyTitle}
      </h3>
      <p>{text.readyText}</p>
      <CodeBlock title={text.one} code={key} />
      <CodeBlock
        title={text.example}
        code={`curl -H 'Authorization: Bearer ${key}' \\\n  ${exampleOf(`${location.origin}/api/v1/projects`, project, may)}`}
      />
      <Button onClick={onDone}>{text.done}</Button>
    </div>
  );
}

/** Something that this key may ask. */
function exampleOf(projects: string, project: number | undefined, may: (scope: KeyScope) => boolean): string {
  const one = `${projects}/${project}`;
  if (project === undefined || may('project:read')) return projects;
  if (may('query:read')) return `'${one}/query/overview?range=last_7_days'`;
  if (may('events:read')) return `'${one}/events?limit=2'`;
  if (may('persons:read')) return `${one}/persons`;
  return `-H 'Content-Type: application/json' -d '{"text": "Test"}' \\\n  ${one}/annotations`;
}
