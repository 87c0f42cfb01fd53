/** Shared parts of screens that emailed links open. Opening one does not use the link: mail scanners open links too. */

import type { ReactNode } from 'react';
import { ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { useKnown } from '#views/known.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { Entrance } from './Entrance.tsx';
import css from './link.module.css';

type Purpose = 'sign-in' | 'reset' | 'verify';

export function linkQueries(purpose: Purpose): ScreenModule['queries'] {
  return (trpc, { search }) => [
    { options: trpc.accounts.link.queryOptions({ purpose, token: search.get('token') ?? '' }), critical: true },
  ];
}

export interface LinkScreenProps {
  purpose: Purpose;
  search: ScreenProps['search'];
  title: ReactNode;
  /** It was used just now, or turned out not to work. */
  isDead: boolean;
  /** Action offered for an invalid link. */
  again: ReactNode;
  lead(email: string): ReactNode;
  children(token: string): ReactNode;
}

/** The screen of a link that works; one that says so when it does not. */
export function LinkScreen({ purpose, search, title, isDead, again, lead, children }: LinkScreenProps) {
  const text = usePart(signInWords);
  const trpc = useTrpc();
  const token = search.get('token') ?? '';
  const { data: email, error } = useKnown({
    ...trpc.accounts.link.queryOptions({ purpose, token }),
    // Once used it does not work any more, and that is no news.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) {
    return (
      <Entrance title={title}>
        <p className={css['below']}>
          <ErrorMessage error={error} />
        </p>
      </Entrance>
    );
  }
  if (email === null || isDead) {
    return (
      <Entrance title={text.dead.title} lead={text.dead.text}>
        <div className={css['below']}>{again}</div>
      </Entrance>
    );
  }
  return (
    <Entrance title={title} lead={<span className="ph-no-capture">{lead(email ?? '…')}</span>}>
      {children(token)}
    </Entrance>
  );
}

/** To where a new link of the kind is asked for. */
export function AskAgain({ href }: { href: string }) {
  const text = usePart(signInWords);
  return <ButtonLink href={href}>{text.dead.again}</ButtonLink>;
}
