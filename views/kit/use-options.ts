/**
 * Keys and ARIA references of a combobox with a list of options: arrows move through them, and the field keeps the focus.
 * The caller handles Enter and other keys.
 */
import { type KeyboardEvent, useId, useRef, useState } from 'react';

export interface OptionsInput {
  /** How many options there are. */
  count: number;
  /** The place of the option that is current before a move; -1: none. */
  initial: number;
  /** A key other than the arrows, with the place of the current option, -1 when there is none. @returns whether it was used */
  onKey(event: KeyboardEvent, place: number): boolean;
}

export function useOptions({ count, initial, onKey }: OptionsInput) {
  const [moved, setMoved] = useState<number | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const place = Math.min(moved ?? initial, count - 1);
  const idOf = (of: number): string => `${id}-${of}`;

  function move(to: number): void {
    const next = (to + count) % Math.max(count, 1);
    setMoved(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Until a text is composed, its keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(place + 1);
    else if (event.key === 'ArrowUp') move(place < 0 ? count - 1 : place - 1);
    else if (!onKey(event, place)) return;
    event.preventDefault();
  }

  return {
    place,
    /** Forgets where the arrows and the pointer went: the options are others. */
    reset: () => setMoved(null),
    field: {
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': place < 0 ? undefined : idOf(place),
      autoComplete: 'off',
      spellCheck: false,
      onKeyDown,
    } as const,
    list: { ref: list, id: `${id}-list`, tabIndex: -1 } as const,
    optionAt: (at: number) =>
      ({
        id: idOf(at),
        // The field keeps the focus.
        onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(),
        onPointerMove: () => setMoved(at),
      }) as const,
  };
}

/** Options under the heading of their group, with the place of the first: arrows follow this order, which is the order on the screen. */
export interface OptionGroup<Option> {
  group: string;
  from: number;
  items: Option[];
}

/** Groups in the order of their first options. */
export function inGroups<Option extends { group?: string }>(options: readonly Option[]): OptionGroup<Option>[] {
  let from = 0;
  return [...Map.groupBy(options, ({ group = '' }) => group)].map(([group, items]) => {
    const made = { group, from, items };
    from += items.length;
    return made;
  });
}
