/** The secret keys of a project, with which servers read flag definitions. A key is shown once, right after it was made. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ProjectSecret } from '#src/projects/contract.ts';
import type { GraceHours } from '#src/projects/values.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { GraceField } from './GraceField.tsx';
import { Section } from './SettingsParts.tsx';
import css from './settings.module.css';

export interface SecretKeysProps {
  project: string;
  keys: ProjectSecret[];
  timeZone: string;
}

export function SecretKeys({ project, keys, timeZone }: SecretKeysProps) {
  const part = usePart(settingsWords);
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  return (
    <Section title={part.secret} text={part.secretText}>
      {made !== null && <Made secret={made} onDone={() => setMade(null)} />}
      {keys.length > 0 && (
        <ul className={css['tokens']}>
          {keys.map((each) => (
            <SecretKey key={each.id} project={project} own={each} timeZone={timeZone} />
          ))}
        </ul>
      )}
      <div>
        <Button className="script-only" icon={keys.length === 0 ? 'plus' : 'refresh'} onClick={() => setIsMaking(true)}>
          {keys.length === 0 ? part.secretMake : part.secretRotate}
        </Button>
      </div>
      {isMaking && (
        <MakeSecret project={project} isFirst={keys.length === 0} onMade={setMade} onClose={() => setIsMaking(false)} />
      )}
    </Section>
  );
}

function Made({ secret, onDone }: { secret: string; onDone(): void }) {
  const part = usePart(settingsWords);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={css['fields']}>
      <h3 ref={heading} tabIndex={-1}>
        {part.secretReady}
      </h3>
      <p className={css['note']}>{part.secretReadyText}</p>
      <CodeBlock title={part.secretReady} code={secret} />
      <div>
        <Button onClick={onDone}>{part.secretDone}</Button>
      </div>
    </div>
  );
}

function SecretKey({ project, own, timeZone }: { project: string; own: ProjectSecret; timeZone: string }) {
  const trpc = useTrpc();
  const client = useQueryClient();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const revoke = useMutation(trpc.projects.revokeSecret.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  const { id, hint, createdAt, lastUsedAt, acceptedUntil } = own;
  const when = (ms: number) => format.day(dateIn(ms, timeZone), 0);
  const notes = [
    part.secretMade(when(createdAt)),
    lastUsedAt === null ? part.secretUnused : part.secretUsed(when(lastUsedAt)),
    ...(acceptedUntil === null ? [] : [part.secretUntil(format.dayMoment(acceptedUntil, timeZone))]),
  ];
  return (
    <li>
      <div>
        <p className="mono">{hint}…</p>
        <p className={css['dim']}>{notes.join(' · ')}</p>
      </div>
      <Button
        small
        className="script-only"
        aria-label={part.secretRevokeOf(hint)}
        onClick={() => setIsConfirming(true)}
      >
        {part.endNow}
      </Button>
      {isConfirming && (
        <Late>
          <AskFirst
            title={part.secretRevokeTitle(hint)}
            text={part.secretRevokeText}
            action={part.endNow}
            busy={part.secretRevoking}
            onConfirm={async () => {
              await revoke.mutateAsync({ project, secret: id });
              await client.invalidateQueries({ queryKey: trpc.projects.settings.pathKey() });
              showToast(part.secretRevoked);
            }}
            onClose={() => setIsConfirming(false)}
          />
        </Late>
      )}
    </li>
  );
}

interface MakeSecretProps {
  project: string;
  /** No key is replaced. */
  isFirst: boolean;
  onMade(secret: string): void;
  onClose(): void;
}

function MakeSecret({ project, isFirst, onMade, onClose }: MakeSecretProps) {
  const trpc = useTrpc();
  const client = useQueryClient();
  const part = usePart(settingsWords);
  const { prove, dialog } = useProof();
  const [grace, setGrace] = useState<GraceHours>(24);
  const rotate = useMutation(trpc.projects.rotateSecret.mutationOptions());
  const title = isFirst ? part.secretMakeTitle : part.secretRotateTitle;
  async function make(): Promise<void> {
    const made = await prove(() => rotate.mutateAsync({ project, graceHours: grace })).catch(() => undefined);
    // The dialog shows why.
    if (made === undefined) return;
    onMade(made.key);
    await client.invalidateQueries({ queryKey: trpc.projects.settings.pathKey() });
    onClose();
  }
  if (dialog) return dialog;
  return (
    <Dialog label={title} onClose={onClose}>
      <div className={css['dialog']}>
        <h2>{title}</h2>
        <p className={css['note']}>{isFirst ? part.secretMakeText : part.secretRotateText}</p>
        {!isFirst && <GraceField label={part.secretGrace} names={part.graces} value={grace} onChange={setGrace} />}
        <FormError>{rotate.isError && <ErrorMessage error={rotate.error} />}</FormError>
        <div className={css['dialogActions']}>
          <Button onClick={onClose}>{part.cancel}</Button>
          <Button kind="primary" busy={rotate.isPending && part.secretMaking} onClick={() => void make()}>
            {part.secretMake}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
