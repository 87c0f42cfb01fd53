/** How the properties of a group changed, as the events say that described it. */
import type { History } from '#src/events/history.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectId } from '#src/projects/contract.ts';
import { sql } from '#src/store/sql.ts';
import type { GroupChange } from './contract.ts';

/** Events that are read; older values are left out. */
const MAX_EVENTS = 200;

interface ChangedGroup {
  /** Name of the type, as events say it. */
  type: string;
  key: string;
  /** When it was first described, ms: events before an erasure do not count. */
  describedAt: number;
}

/** Effective changes, newest first. Of values that are set again only the first is one. */
export async function readGroupChanges(
  history: Pick<History, 'listed'>,
  projectId: ProjectId,
  { type, key, describedAt }: ChangedGroup,
): Promise<GroupChange[]> {
  const events = await history.listed(projectId, {
    event: '$groupidentify',
    from: describedAt,
    limit: MAX_EVENTS,
    where: sql`events.properties ->> '$group_type' = ${type} and events.properties ->> '$group_key' = ${key}`,
  });
  const known = new Map<string, string>();
  const changes = events.toReversed().flatMap(({ ts, properties }) =>
    Object.entries(setBy(properties)).flatMap(([name, value]): GroupChange[] => {
      const text = JSON.stringify(value);
      if (known.get(name) === text) return [];
      known.set(name, text);
      return [{ name, value, at: ts }];
    }),
  );
  return changes.toReversed();
}

function setBy({ $group_set: set }: JsonObject): Record<string, JsonValue> {
  return typeof set === 'object' && set !== null && !Array.isArray(set) ? (set as Record<string, JsonValue>) : {};
}
