/** The frame around screens that are about no project: all projects, the account, a team. Such screens put it around themselves. */

import type { ReactNode } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { Mark } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { SignOut } from '#views/kit/SignOut.tsx';
import { useKnown } from '#views/known.ts';
import type { ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { plainWords } from '#views/words/plain.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import css from './Plain.module.css';

/** Part of the `queries` of a screen that uses this frame. */
export function plainQueries(trpc: Trpc): ScreenQuery[] {
  return [{ options: trpc.accounts.me.queryOptions(), critical: true }];
}

export interface PlainProps {
  title: ReactNode;
  /** Beside the title, on the right. */
  actions?: ReactNode;
  /** Between the title and the content, as tabs. */
  tabs?: ReactNode;
  children: ReactNode;
}

export function Plain({ title, actions, tabs, children }: PlainProps) {
  const { words } = useWords();
  const part = usePart(plainWords);
  const trpc = useTrpc();
  const { data: me } = useKnown(trpc.accounts.me.queryOptions());
  return (
    <>
      <a href="#content" className={css['skip']}>
        {words.nav.skip}
      </a>
      <header className={css['bar']}>
        <Link href="/" className={css['home']}>
          <Mark />
          <span>Luneta</span>
          <span className="visually-hidden">, {part.home}</span>
        </Link>
        <nav aria-label={part.main} className={css['person']}>
          {me?.operator && (
            <Link href="/status" className={css['name']}>
              {part.status}
            </Link>
          )}
          <Link href="/account" className={`${css['name']} clip ph-no-capture`}>
            {me?.name}
            <span className={me === undefined || me === null ? undefined : 'visually-hidden'}> {part.account}</span>
          </Link>
          <SignOut>
            <Button kind="quiet" small type="submit">
              {part.signOut}
            </Button>
          </SignOut>
        </nav>
      </header>
      <main id="content" className={css['main']}>
        <ConnectionNotice />
        <div className={css['title']}>
          <h1>{title}</h1>
          {actions && <div className={css['actions']}>{actions}</div>}
        </div>
        {tabs}
        {children}
      </main>
    </>
  );
}
