/** Earlier values of a group's properties, fetched when they are opened; and their deletion. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall, type Role } from '#src/accounts/values.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { Boundary } from '#views/boundary.tsx';
import { jsonText } from '#views/event/values.ts';
import { groupsOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { LongText } from '#views/kit/LongText.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { groupWords } from '#views/words/groups.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Groups.module.css';
import type { GroupRef } from './group-queries.ts';

interface HistoryProps {
  asked: GroupRef;
  timeZone: string;
}

export function GroupHistory({ asked, timeZone }: HistoryProps) {
  const text = usePart(groupWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={`${css['further']} script-only`} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text.history}</summary>
      {isOpen && (
        <Boundary of={asked.key} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Late>
            <Changes asked={asked} timeZone={timeZone} />
          </Late>
        </Boundary>
      )}
    </details>
  );
}

function Changes({ asked, timeZone }: HistoryProps) {
  const text = usePart(groupWords);
  const { format } = useWords();
  const { data } = useSuspenseQuery(useTrpc().profiles.groups.changes.queryOptions(asked));
  if (data.length === 0) return <p className="dim">{text.noHistory}</p>;
  return (
    <dl className={css['list']}>
      {data.map(({ name, value, at }) => (
        <div key={`${name} ${at}`}>
          <dt className="mono">{name}</dt>
          <dd>
            <LongText label={name} text={propertyText(value)} />
            <span className={css['changed']}>{format.dayTime(at, timeZone)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A property's value as text. */
export function propertyText(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}

interface EraseProps {
  asked: GroupRef;
  name: string;
  role: Role;
  /** It has events, so it stays in the list by its key. */
  hasEvents: boolean;
}

export function EraseGroup({ asked, name, role, hasEvents }: EraseProps) {
  const text = usePart(groupWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const erase = useMutation(trpc.profiles.groups.erase.mutationOptions());
  if (!mayCall('profiles.groups.erase', role)) return null;
  return (
    <>
      <Button kind="quiet" small icon="x" className="script-only" onClick={() => setIsAsking(true)}>
        {text.erase}
      </Button>
      {isAsking && (
        <AskFirst
          title={text.eraseTitle(name)}
          text={text.eraseText}
          action={text.erase}
          busy={text.erasing}
          onConfirm={async () => {
            await erase.mutateAsync(asked);
            showToast(text.erased);
            if (!hasEvents) navigate(`${groupsOf(asked.project)}?type=${asked.type}`);
            await client.invalidateQueries();
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
