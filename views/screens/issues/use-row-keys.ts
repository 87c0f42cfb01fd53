/** Keys of the list: j and k go from row to row, x selects, e resolves, i ignores; the last two change what is selected, or else the row. */
import { type RefObject, useEffect } from 'react';
import { singleKeysOn } from '#views/frame/single-keys.ts';

export interface RowKeys {
  toggle(row: number): void;
  resolve(row: number | null): void;
  ignore(row: number | null): void;
}

/** @param links selector of the link of each row within the list */
export function useRowKeys(list: RefObject<HTMLElement | null>, links: string, keys: RowKeys | null): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !singleKeysOn()) return;
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement && target.matches('textarea, select, input:not([type="checkbox"])');
      if (isTyping || document.querySelector('dialog[open], [popover]:popover-open')) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>(links) ?? [])];
      const current = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
      const act = actionOf(event.key.toLowerCase(), rows, current, keys);
      if (act === null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list, links, keys]);
}

function actionOf(
  key: string,
  rows: readonly HTMLElement[],
  current: number,
  keys: RowKeys | null,
): (() => void) | null {
  const row = current < 0 ? null : current;
  if (key === 'j') return () => rows[Math.min(current + 1, rows.length - 1)]?.focus();
  if (key === 'k') return () => rows[Math.max(current - 1, 0)]?.focus();
  if (keys === null) return null;
  if (key === 'x' && row !== null) return () => keys.toggle(row);
  if (key === 'e') return () => keys.resolve(row);
  return key === 'i' ? () => keys.ignore(row) : null;
}
