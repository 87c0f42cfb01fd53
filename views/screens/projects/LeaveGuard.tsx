/** Asks before a page with unsaved changes is left by a link or by closing it. Going back asks nothing: the changes are remembered. */
import { useEffect, useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { settingsWords } from '#views/words/settings.ts';
import { usePart } from '#views/words/words.tsx';
import css from './settings.module.css';

export function LeaveGuard({ onLeave }: { onLeave: () => void }) {
  const part = usePart(settingsWords);
  const { place, navigate } = useNavigation();
  const [target, setTarget] = useState<string | null>(null);

  useEffect(() => {
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    // Before the link's own handler, which would go at once.
    const onClick = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!isPlain || link === null || link.target === '_blank' || link.origin !== location.origin) return;
      if (link.pathname === place.path) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(link.href);
    };
    addEventListener('beforeunload', onClose);
    document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onClose);
      document.removeEventListener('click', onClick, true);
    };
  }, [place.path]);

  if (target === null) return null;
  return (
    <Dialog label={part.leave} onClose={() => setTarget(null)}>
      <div className={css['dialog']}>
        <h2>{part.leave}</h2>
        <p className={css['note']}>{part.leaveText}</p>
        <div className={css['dialogActions']}>
          <Button kind="primary" onClick={() => setTarget(null)}>
            {part.stay}
          </Button>
          <Button
            onClick={() => {
              onLeave();
              navigate(target);
            }}
          >
            {part.leaveSubmit}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
