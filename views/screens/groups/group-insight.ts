/** Saved insights as they are for one group: their filters and that it is this group. Pure. */
import type { FilterCondition, Filters } from '#src/columns/contract.ts';
import { GROUP_KEY, type GroupSubject, MAX_CONDITIONS } from '#src/columns/values.ts';
import type { GroupInsight } from '#src/insights/saved/contract.ts';
import { savedInsightOf } from '#views/frame/addresses.ts';
import { insightAddress } from '#views/insights/address.ts';
import { savedAsShown } from '#views/insights/saved-as-shown.ts';
import type { GroupRef } from './group-queries.ts';

/** Where the insight is shown of this group alone; as it is saved if its query is about the group already. */
export function insightOfGroup(saved: GroupInsight, { project, key }: GroupRef, about: GroupSubject): string {
  const path = savedInsightOf(project, saved.id);
  if (saved.named) return path;
  const insight = savedAsShown(saved);
  const filters = withGroup(insight.question.filters, { about, name: GROUP_KEY, operator: 'equals', values: [key] });
  if (filters === null) return path;
  return insightAddress(path, { ...insight, question: { ...insight.question, filters } });
}

/** Both. Null: lists within lists are at most one level deep, and not too long. */
export function withGroup(filters: Filters | null, condition: FilterCondition): Filters | null {
  if (filters === null || filters.of.length === 0) return { match: 'all', of: [condition] };
  if (filters.match === 'all') {
    return filters.of.length < MAX_CONDITIONS ? { match: 'all', of: [...filters.of, condition] } : null;
  }
  const { match, of } = filters;
  const conditions = of.flatMap((each) => ('of' in each ? [] : [each]));
  return conditions.length === of.length ? { match: 'all', of: [{ match, of: conditions }, condition] } : null;
}
