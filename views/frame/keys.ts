/**
 * Keys for the whole program, listened to once the code for it is there. Ctrl K and Cmd K always; single keys only while no field has the
 * focus, and only until someone turns them off.
 */
import { useEffect } from 'react';
import { useNavigation } from '#views/navigation.tsx';
import type { PanelName } from './LazyPanels.tsx';
import { useAddress } from './queries.ts';

/** Listens for keys as long as the frame is there. A listener that cannot be loaded is asked for again at the next place. */
export function useKeys(openPanel: (panel: PanelName) => void): void {
  const { navigate } = useNavigation();
  const project = useAddress()?.project;
  useEffect(() => {
    let stop = (): void => undefined;
    let isGone = false;
    // What is pressed before the code is there counts as well.
    const early: KeyboardEvent[] = [];
    const keep = (event: KeyboardEvent) => early.push(event);
    addEventListener('keydown', keep);
    import('./key-listener.ts').then(
      ({ listenForKeys }) => {
        removeEventListener('keydown', keep);
        if (!isGone) stop = listenForKeys({ openPanel, navigate, project }, early);
      },
      () => removeEventListener('keydown', keep),
    );
    return () => {
      isGone = true;
      removeEventListener('keydown', keep);
      stop();
    };
  }, [navigate, openPanel, project]);
}
