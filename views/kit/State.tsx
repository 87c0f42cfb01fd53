/** A block in place of content: nothing there, failed, not permitted. One title, one sentence, one or two actions. */
import type { ReactNode } from 'react';
import { failureOf } from '#views/trpc.ts';
import { useWords } from '#views/words/words.tsx';
import { Button } from './Button.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { Icon, type IconName } from './Icon.tsx';
import css from './State.module.css';

export interface StateProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Read out when it appears. */
  alert?: boolean;
}

export function State({ icon, title, children, actions, alert = false }: StateProps) {
  return (
    <div className={css['state']} role={alert ? 'alert' : undefined}>
      <Icon name={icon} className={css['icon']} />
      <p className={css['title']}>{title}</p>
      {children && <p className={css['text']}>{children}</p>}
      {actions && <div className={css['actions']}>{actions}</div>}
    </div>
  );
}

/** A failed part of the screen, with a retry; a refusal is shown as one. */
export function FailedState({ error, retry }: { error: unknown; retry: () => void }) {
  const { words } = useWords();
  const { code } = failureOf(error);
  const refused = code === 'forbidden' || code === 'unauthenticated';
  // Retrying an invalid query is pointless.
  const isFinal = refused || code === 'invalid';
  return (
    <State
      alert
      icon={refused ? 'lock' : code === 'network' ? 'offline' : 'error'}
      title={refused ? words.errors.noPermission : words.errors.title}
      actions={
        isFinal ? undefined : (
          <Button small icon="refresh" onClick={retry}>
            {words.errors.retry}
          </Button>
        )
      }
    >
      <ErrorMessage error={error} />
    </State>
  );
}
