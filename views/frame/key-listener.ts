/** Global keyboard shortcuts. */
import type { Place } from '#views/routing.ts';
import { screens } from '#views/screen-list.ts';
import { addressIn } from './menu.ts';
import type { PanelName } from './panels.ts';
import { singleKeysOn } from './single-keys.ts';

const places: readonly Place[] = screens;

/** The second key of a sequence must come within this time. */
const SEQUENCE_MS = 1_200;

export interface KeyTargets {
  openPanel(panel: PanelName): void;
  navigate(href: string): void;
  /** The reference in the address. */
  project: string | undefined;
}

/** Listens until what it gives is called. */
export function listenForKeys({ openPanel, navigate, project }: KeyTargets): () => void {
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
    return target && (() => press(target));
  }

  function afterG(key: string): (() => void) | null {
    const route = places.find(({ menu }) => menu?.key === key.toUpperCase());
    const href = route && addressIn(route.path, { project, team: undefined });
    if (href == null) return null;
    // Only destinations in this role's navigation.
    return document.querySelector(`nav a[href="${CSS.escape(href)}"]`) && (() => navigate(href));
  }

  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

/** Focuses the button before the click, so that the opened panel returns the focus to it. */
function press(target: HTMLElement): void {
  if (target.hasAttribute('popovertarget')) target.focus();
  target.click();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
