/** Shares a dashboard or an insight, and marks it while it is public. */

import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { SharedObject } from '#src/sharing/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { WideLabel } from '#views/kit/WideLabel.tsx';
import { useKnown } from '#views/known.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { shareButtonWords } from '#views/words/share-button.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './ShareButton.module.css';
import type { ShareDialogProps } from './ShareDialog.tsx';

const ShareDialog = lazyPart<ShareDialogProps>(
  'sharing',
  async () => (await import('#views/areas/sharing.ts')).ShareDialog,
);

export function shareOptions(trpc: Trpc, project: string, of: SharedObject) {
  return trpc.sharing.get.queryOptions({ project, of });
}

interface ShareButtonProps {
  project: string;
  of: SharedObject;
  /** Of the dashboard or insight. */
  name: string;
}

export function ShareButton({ project, of, name }: ShareButtonProps) {
  const own = usePart(shareButtonWords);
  const { role, timeZone } = useRoleIn(project);
  const { data: link } = useKnown(shareOptions(useTrpc(), project, of));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {mayCall('sharing.create', role) && (
        <Button small icon="link" className="script-only" disabled={link === undefined} onClick={() => setIsOpen(true)}>
          <WideLabel>{own.share}</WideLabel>
        </Button>
      )}
      {isOpen && link !== undefined && (
        <Late>
          <ShareDialog
            project={project}
            of={of}
            name={name}
            link={link}
            timeZone={timeZone}
            onClose={() => setIsOpen(false)}
          />
        </Late>
      )}
    </>
  );
}

/** For everyone who sees the dashboard or insight. */
export function PublicMark({ project, of }: Pick<ShareButtonProps, 'project' | 'of'>) {
  const own = usePart(shareButtonWords);
  const { format } = useWords();
  const { data: link } = useKnown(shareOptions(useTrpc(), project, of));
  const now = useServerTime();
  if (!link) return null;
  if (link.expiresAt !== null && link.expiresAt <= now) return <p className="dim">{own.expired}</p>;
  return (
    <p>
      <span className={css['public']}>{own.public(link.views, format.number(link.views))}</span>
    </p>
  );
}
