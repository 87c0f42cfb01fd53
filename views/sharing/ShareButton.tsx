/** Shares a dashboard or an insight. While it is public, everyone who sees it sees that, too. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { SharedObject } from '#src/sharing/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { sharingWords } from '#views/words/sharing.ts';
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
  const own = usePart(sharingWords);
  const { format } = useWords();
  const { role, timeZone } = useRoleIn(project);
  const { data: link } = useQuery(shareOptions(useTrpc(), project, of));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {link && <span className={css['public']}>{own.public(format.number(link.views))}</span>}
      {mayCall('sharing.create', role) && (
        <Button small icon="link" className="script-only" disabled={link === undefined} onClick={() => setIsOpen(true)}>
          <span className={css['share']}>{own.share}</span>
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
