/** Undo and redo: the addresses of this visit to the editor are the history, and going back in it is the browser's own. */
import { useState } from 'react';
import { useNavigation } from '#views/navigation.tsx';

interface Trail {
  /** Entries of the browser's history, in their order. */
  keys: readonly string[];
  /** Of the entry that is shown. */
  at: number;
}

export function useTrail() {
  const { key } = useNavigation().place;
  const [trail, setTrail] = useState<Trail>({ keys: [key], at: 0 });
  if (trail.keys[trail.at] !== key) {
    const known = trail.keys.indexOf(key);
    const kept = trail.keys.slice(0, trail.at + 1);
    setTrail(known === -1 ? { keys: [...kept, key], at: kept.length } : { ...trail, at: known });
  }
  return {
    undo: trail.at > 0 ? () => history.back() : null,
    redo: trail.at < trail.keys.length - 1 ? () => history.forward() : null,
  };
}
