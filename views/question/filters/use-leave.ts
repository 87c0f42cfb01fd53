/** Taking a chip off by Backspace or Delete. */
import type { KeyboardEvent } from 'react';
import { useNavigate } from '#views/navigation.tsx';

/** @param without the address without the chip */
export function useLeave(without: string): (event: KeyboardEvent<HTMLElement>) => void {
  const { navigate } = useNavigate();
  return (event) => {
    const inForm = (event.target as Element).closest('[popover]') !== null;
    if (inForm || (event.key !== 'Backspace' && event.key !== 'Delete')) return;
    event.preventDefault();
    focusBeside(event.currentTarget);
    navigate(without);
  };
}

/** The focus would be lost with the chip: it goes to what adds another, else to a neighbour. */
function focusBeside(chip: HTMLElement): void {
  const bar = chip.closest<HTMLElement>('search');
  const others = [...(bar?.querySelectorAll<HTMLElement>('[role=group] > button') ?? [])];
  const next = bar?.querySelector<HTMLElement>('[data-hotkey=f]') ?? others.find((each) => !chip.contains(each));
  next?.focus();
}
