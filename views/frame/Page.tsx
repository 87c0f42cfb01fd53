/** The part of a screen that is its own: heading, actions, content. */
import type { ReactNode } from 'react';
import { Link } from '#views/kit/Link.tsx';
import { useWords } from '#views/words/words.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import css from './Page.module.css';
import { WaitingNotice } from './WaitingNotice.tsx';

export interface PageProps {
  title: ReactNode;
  /** Parent screen in the breadcrumb. */
  parent?: { title: string; href: string } | undefined;
  /** At most three, on the right. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, parent, actions, children }: PageProps) {
  const { words } = useWords();
  return (
    <main id="content">
      <div className={css['bar']}>
        {parent && (
          <nav aria-label={words.nav.crumbs} className={css['parent']}>
            <Link href={parent.href}>{parent.title}</Link>
            <span className={css['separator']} aria-hidden="true">
              /
            </span>
          </nav>
        )}
        <h1 className="clip">{title}</h1>
        {actions && <div className={css['actions']}>{actions}</div>}
      </div>
      <div className={css['page']}>
        <ConnectionNotice />
        <WaitingNotice />
        {children}
      </div>
    </main>
  );
}
