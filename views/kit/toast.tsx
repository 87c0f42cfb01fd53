/** A word after an action that leaves no visible trace: six seconds, longer while pointed at. Never for errors that need an action. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useWords } from '#views/words/words.tsx';
import { Icon } from './Icon.tsx';
import css from './toast.module.css';

interface Toast {
  id: number;
  text: string;
}

const SHOWN_MS = 6_000;

let current: Toast | null = null;
let count = 0;
const listeners = new Set<() => void>();

/** Shows a text in place of the one before. Browser only. */
export function showToast(text: string): void {
  count += 1;
  set({ id: count, text });
}

function set(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const nothing = (): null => null;

/** Container of toasts; once in the frame. */
export function Toasts() {
  const toast = useSyncExternalStore(subscribe, () => current, nothing);
  const [held, setHeld] = useState(false);
  const { words } = useWords();
  useEffect(() => {
    if (!toast || held) return;
    const timer = setTimeout(() => set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, held]);
  return (
    <div role="status" className={css['region']}>
      {toast && (
        // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it
        <div
          key={toast.id}
          className={css['toast']}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          {toast.text}
          <button type="button" aria-label={words.nav.close} onClick={() => set(null)}>
            <Icon name="x" small />
          </button>
        </div>
      )}
    </div>
  );
}
