/** The tokens of a project. What is done here is done at once, beside the form. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ProjectToken } from '#src/projects/contract.ts';
import type { GraceHours } from '#src/projects/values.ts';
import { tokenEntry } from '#src/projects/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { CopyLink } from '#views/kit/CopyLink.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { GraceField } from './GraceField.tsx';
import { Section } from './SettingsParts.tsx';
import css from './settings.module.css';

export interface TokensProps {
  project: string;
  tokens: ProjectToken[];
  timeZone: string;
}

export function Tokens({ project, tokens, timeZone }: TokensProps) {
  const part = usePart(settingsWords);
  const [isReplacing, setReplacing] = useState(false);
  const [current, ...others] = tokens;
  return (
    <Section title={part.token} text={part.tokenText}>
      <CopyLink label={part.token} link={current?.token ?? ''} />
      <div>
        <Button className="script-only" icon="refresh" onClick={() => setReplacing(true)}>
          {part.replace}
        </Button>
      </div>
      {others.length > 0 && (
        <div>
          <h3 className={css['dim']}>{part.otherTokens}</h3>
          <ul className={css['tokens']}>
            {others.map((token) => (
              <Other key={token.token} project={project} token={token} timeZone={timeZone} />
            ))}
          </ul>
        </div>
      )}
      <AddToken project={project} />
      {isReplacing && <Replace project={project} onClose={() => setReplacing(false)} />}
    </Section>
  );
}

/** After each change the settings are fetched again, and the list of projects, which carries the token. */
function useTokensChanged(): () => Promise<void> {
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: trpc.projects.pathKey() });
  };
}

function Other({ project, token, timeZone }: { project: string; token: ProjectToken; timeZone: string }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const changed = useTokensChanged();
  const remove = useMutation({ ...trpc.projects.removeToken.mutationOptions(), onSuccess: changed });
  const isOurs = token.kind === 'replaced';
  return (
    <li>
      <div>
        <p className="mono clip">{token.token}</p>
        <p className={css['dim']}>
          {isOurs && token.acceptedUntil !== null
            ? part.untilText(format.dayMoment(token.acceptedUntil, timeZone))
            : part.addedText}
        </p>
        {remove.isError && (
          <p role="alert" className={css['danger']}>
            <ErrorMessage error={remove.error} />
          </p>
        )}
      </div>
      <Button
        small
        className="script-only"
        aria-label={(isOurs ? part.endOf : part.removeOf)(token.token)}
        onClick={() => remove.mutate({ project, token: token.token })}
      >
        {isOurs ? part.endNow : part.remove}
      </Button>
    </li>
  );
}

function AddToken({ project }: { project: string }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const changed = useTokensChanged();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const add = useMutation({
    ...trpc.projects.addToken.mutationOptions(),
    async onSuccess() {
      setText('');
      await changed();
    },
    onError(error) {
      const { code, field } = failureOf(error);
      if (code === 'conflict') setWrong(part.addErrors.taken);
      else if (field === 'tokens') setWrong(part.addErrors.many);
      else if (field === 'token') setWrong(part.addErrors.form);
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = tokenEntry(text);
    setWrong(null);
    if (token !== null) return add.mutate({ project, token });
    setWrong(/^\s*(?:phx_|lnk_)/.test(text) ? part.addErrors.personal : part.addErrors.form);
    event.currentTarget.querySelector('input')?.focus();
  };
  return (
    <form data-own="" onSubmit={onSubmit} noValidate>
      <div className={css['inline']}>
        <TextField
          label={part.add}
          hint={part.addHint}
          error={wrong ?? undefined}
          name="token"
          value={text}
          onChange={({ target }) => setText(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
        />
        <Button type="submit" className="script-only" busy={add.isPending && part.adding}>
          {part.addSubmit}
        </Button>
      </div>
      <FormError>{add.isError && wrong === null && <ErrorMessage error={add.error} />}</FormError>
    </form>
  );
}

function Replace({ project, onClose }: { project: string; onClose: () => void }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const changed = useTokensChanged();
  const [grace, setGrace] = useState<GraceHours>(168);
  const rotate = useMutation({
    ...trpc.projects.rotateToken.mutationOptions(),
    async onSuccess() {
      await changed();
      onClose();
      showToast(part.replaced);
    },
  });
  return (
    <Dialog label={part.replaceTitle} onClose={onClose}>
      <div className={css['dialog']}>
        <h2>{part.replaceTitle}</h2>
        <p className={css['note']}>{part.replaceText}</p>
        <GraceField label={part.grace} names={part.graces} value={grace} onChange={setGrace} />
        <FormError>{rotate.isError && <ErrorMessage error={rotate.error} />}</FormError>
        <div className={css['dialogActions']}>
          <Button onClick={onClose}>{part.cancel}</Button>
          <Button
            kind="primary"
            busy={rotate.isPending && part.replacing}
            onClick={() => rotate.mutate({ project, graceHours: grace })}
          >
            {part.replaceSubmit}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
