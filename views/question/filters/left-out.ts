/** Detects URLs with conditions that were skipped as invalid. Pure. */
import type { Question } from '../question.ts';
import { divided } from './address.ts';

/** True when the filters, people or segment of its query string are not all in a question as it was read. */
export function isLeftOut({ filters, people, segment, asRead }: Question): boolean {
  if (asRead === undefined) return false;
  const said = (key: string): string[] => asRead.getAll(key).filter((text) => text !== '');
  return (
    said('filter').reduce((sum, text) => sum + conditionsIn(text), 0) !==
      (filters?.of ?? []).reduce((sum, item) => sum + ('of' in item ? item.of.length : 1), 0) ||
    said('who').length !== (people?.of.length ?? 0) ||
    (segment === null && said('segment').length > 0)
  );
}

function conditionsIn(text: string): number {
  const list = /^(?:any|all)\((.*)\)$/s.exec(text);
  return list === null ? 1 : divided(list[1] ?? '', ';').length;
}
