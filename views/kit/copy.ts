/** Puts text on the clipboard. */
import { useCallback, useEffect, useState } from 'react';

/** @returns false when the browser did not allow it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure origin there is no clipboard; the old way still copies what is selected.
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const held = document.activeElement as HTMLElement | null;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  // Beside an open dialog nothing can be selected.
  (held?.closest('dialog') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  held?.focus();
  return copied;
}

export type CopyState = 'ready' | 'copied' | 'failed';

const SHOWN_MS = 2_000;

/** `copy(text)`, with its result for two seconds. */
export function useCopy(): [CopyState, (text: string) => void] {
  const [state, setState] = useState<CopyState>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), state === 'copied' ? SHOWN_MS : 3 * SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = useCallback((text: string) => {
    void copyText(text).then((copied) => setState(copied ? 'copied' : 'failed'));
  }, []);
  return [state, copy];
}
