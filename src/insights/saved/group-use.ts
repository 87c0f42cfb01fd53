/** Whether a query is about one group, such as a company. Pure. */
import { GROUP_KEY, type GroupSubject } from '#src/columns/values.ts';

export interface NamedGroup {
  subject: GroupSubject;
  key: string;
}

/** True when a condition of the query, or of its series, steps and sets of people, names the key. */
export function namesGroup(query: unknown, group: NamedGroup): boolean {
  if (typeof query !== 'object' || query === null) return false;
  if (isConditionOf(query, group)) return true;
  return Object.values(query).some((each) => namesGroup(each, group));
}

function isConditionOf(value: object, { subject, key }: NamedGroup): boolean {
  const { about, name, operator, values } = value as Record<string, unknown>;
  return (
    about === subject && name === GROUP_KEY && operator === 'equals' && Array.isArray(values) && values.includes(key)
  );
}
