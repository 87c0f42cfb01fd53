/** Arrow keys, Home and End between the controls of a group. */
import type { KeyboardEvent } from 'react';

const STEPS = {
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
  vertical: { ArrowDown: 1, ArrowUp: -1 },
} as const;

/** Moves focus among the elements inside `event.currentTarget` that match `selector`; other keys pass by. */
export function moveFocus(
  event: KeyboardEvent<HTMLElement>,
  selector: string,
  direction: 'horizontal' | 'vertical',
): HTMLElement | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const current = controls.indexOf(document.activeElement as HTMLElement);
  if (controls.length === 0) return null;
  const step = (STEPS[direction] as Record<string, number>)[event.key];
  let next: number;
  if (step !== undefined) next = (current + step + controls.length) % controls.length;
  else if (event.key === 'Home') next = 0;
  else if (event.key === 'End') next = controls.length - 1;
  else return null;
  event.preventDefault();
  const target = controls[next] ?? null;
  target?.focus();
  return target;
}
