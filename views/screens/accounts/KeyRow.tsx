/** A key in the list: what it may do, since when, until when, and its end. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyRow } from '#src/projects/api-keys/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import list from '#views/kit/Records.module.css';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { keysWords } from '#views/words/keys.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';

export interface KeyRowProps {
  own: ApiKeyRow;
  projects: readonly ProjectSummary[];
  timeZone: string;
}

export function KeyRow({ own, projects, timeZone }: KeyRowProps) {
  const text = usePart(keysWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const revoke = useMutation(trpc.projects.apiKeys.revoke.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  const { id, name, hint, scopes, createdAt, lastUsedAt, expiresAt } = own;
  const when = (ms: number) => format.day(dateIn(ms, timeZone), 0);
  const names = own.projects?.map((each) => projects.find((project) => project.id === each)?.name ?? `#${each}`);
  const end = expiresAt === null ? text.endless : text.ends(when(expiresAt));
  return (
    <li className={list['row']}>
      <div className={list['what']}>
        <p className={list['name']}>
          {name} <code className={list['mark']}>{hint}…</code>
        </p>
        <p className={list['note']}>
          {scopes.map((scope) => text.scopeNames[scope]).join(', ')} · {names?.join(', ') ?? text.allProjects}
        </p>
        <p className={list['note']}>
          {text.made(when(createdAt))} · {lastUsedAt === null ? text.unused : text.used(when(lastUsedAt))} · {end}
        </p>
      </div>
      <div className={list['actions']}>
        <Button
          small
          aria-label={text.revokeNamed(name)}
          className={list['danger']}
          onClick={() => setIsConfirming(true)}
        >
          {text.revoke}
        </Button>
      </div>
      {isConfirming && (
        <AskFirst
          title={text.revokeTitle(name)}
          text={text.revokeText}
          action={text.revoke}
          busy={text.revoking}
          onConfirm={async () => {
            await revoke.mutateAsync({ id });
            await client.invalidateQueries({ queryKey: trpc.projects.apiKeys.list.queryKey() });
            showToast(text.revoked);
          }}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}
