/** Accounts of other services that sign in to this one: listed, added, taken away. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connections } from '#src/accounts/contract.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import css from '#views/kit/Records.module.css';
import { Buttons, Section } from '#views/kit/Section.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { post } from '#views/post.ts';
import { useTrpc } from '#views/trpc.ts';
import { connectionsWords } from '#views/words/connections.ts';
import { ago } from '#views/words/relative.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart, useWords } from '#views/words/words.tsx';

/** Nothing where this installation knows no other service. */
export function AccountConnections({ timeZone }: { timeZone: string }) {
  const text = usePart(connectionsWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.accounts.connections.queryOptions());
  const { connected, providers, hosted } = data;
  if (connected.length === 0 && providers.length === 0 && hosted === null) return null;
  return (
    <Section title={text.title} text={text.text}>
      {connected.length === 0 ? (
        <p>{text.none}</p>
      ) : (
        <ul className={css['list']}>
          {connected.map((each) => (
            <Row key={`${each.issuer} ${each.subject}`} connection={each} at={data.at} timeZone={timeZone} />
          ))}
        </ul>
      )}
      <Add providers={providers} hosted={hosted} />
    </Section>
  );
}

function Add({ providers, hosted }: Pick<Connections, 'providers' | 'hosted'>) {
  const text = usePart(connectionsWords);
  const { problems } = usePart(signInWords);
  const { place } = useNavigation();
  const { prove, dialog } = useProof();
  const [leaving, setLeaving] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const leaveFor = async (provider: string) => {
    setFailure(null);
    setLeaving(provider);
    try {
      const answer = await prove(() => post<{ address: string }>('/api/sign-in/provider', { provider }));
      if (answer !== undefined) return location.assign(answer.address);
    } catch (error) {
      setFailure(error);
    }
    setLeaving(null);
  };
  const problem = problems[new URLSearchParams(place.search).get('problem') ?? ''];
  return (
    <>
      <FormError>{failure === null ? problem : <ErrorMessage error={failure} />}</FormError>
      <Buttons>
        {providers.map(({ id, name }) => (
          <Button key={id} busy={leaving === id && text.leaving(name)} onClick={() => void leaveFor(id)}>
            {text.connect(name)}
          </Button>
        ))}
        {hosted !== null && <ButtonLink href="/sign-in/hosted?connect=1">{text.connect(hosted)}</ButtonLink>}
      </Buttons>
      {dialog}
    </>
  );
}

function Row(props: { connection: Connections['connected'][number]; at: number; timeZone: string }) {
  const { connection, at, timeZone } = props;
  const { issuer, subject, name, email, createdAt } = connection;
  const text = usePart(connectionsWords);
  const { words } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const disconnect = useMutation(trpc.accounts.disconnect.mutationOptions());
  const { prove, dialog } = useProof();
  const [asked, setAsked] = useState(false);
  const takeAway = async () => {
    const done = await prove(async () => {
      await disconnect.mutateAsync({ issuer, subject });
      return true;
    });
    if (!done) return;
    await client.invalidateQueries({ queryKey: trpc.accounts.connections.queryKey() });
    showToast(text.removed);
  };
  return (
    <li className={css['row']}>
      <div className={css['what']}>
        <p className={css['name']}>{name}</p>
        <p className={css['note']}>
          {email !== null && `${email} · `}
          {text.since(ago(createdAt, at, timeZone, words))}
        </p>
      </div>
      <div className={css['actions']}>
        <Button small aria-label={text.removeNamed(name)} className={css['danger']} onClick={() => setAsked(true)}>
          {text.remove}
        </Button>
      </div>
      {asked && (
        <AskFirst
          title={text.removeTitle(name)}
          text={text.removeText}
          action={text.remove}
          busy={text.removing}
          onConfirm={takeAway}
          onClose={() => setAsked(false)}
        />
      )}
      {dialog}
    </li>
  );
}
