/**
 * Keys for the whole program. Ctrl K and Cmd K always; single keys only while no field has the focus, and only until
 * someone turns them off, since dictation types letters.
 */
import { useEffect } from 'react';
import { useNavigation } from '#views/navigation.tsx';
import { ingestionOf, liveOf, overviewOf } from './addresses.ts';
import type { PanelName } from './LazyPanels.tsx';
import { useAddress } from './queries.ts';

const STORAGE = 'luneta:single-keys';
/** The second key of a sequence must come within this time. */
const SEQUENCE_MS = 1_200;

/** Whether single keys are on. Kept in this browser. */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORAGE) !== 'off';
  } catch {
    // Storage may be closed to us; then the keys work, and cannot be turned off for longer than this page.
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(STORAGE);
    else localStorage.setItem(STORAGE, 'off');
  } catch {
    return;
  }
}

/** Listens for keys as long as the frame is there. */
export function useKeys(openPanel: (panel: PanelName) => void): void {
  const { navigate } = useNavigation();
  const project = useAddress()?.project;
  useEffect(() => {
    let started = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        openPanel('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') || !singleKeysOn()) return;
      const inSequence = event.timeStamp - started < SEQUENCE_MS;
      started = Number.NEGATIVE_INFINITY;
      const act = inSequence ? afterG(event.key) : alone(event.key);
      if (act === null) return;
      event.preventDefault();
      act();
    };

    function alone(key: string): (() => void) | null {
      if (key === '/') return () => openPanel('palette');
      if (key === '?') return () => openPanel('keys');
      if (key === 'g' || key === 'G') {
        return () => {
          started = performance.now();
        };
      }
      const target = document.querySelector<HTMLElement>(`[data-hotkey="${CSS.escape(key.toLowerCase())}"]`);
      return target && (() => target.click());
    }

    function afterG(key: string): (() => void) | null {
      const address = { o: overviewOf, l: liveOf, i: ingestionOf }[key.toLowerCase()];
      if (address === undefined || project === undefined) return null;
      const href = address(project);
      // Where the navigation of this role leads, and nowhere else.
      return document.querySelector(`nav a[href="${CSS.escape(href)}"]`) && (() => navigate(href));
    }

    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, openPanel, project]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
