/** What a rule that is not saved yet would do, by the newest occurrence of each issue. */
import type { Queryable } from '#src/store/sql.ts';
import { query, sql } from '#src/store/sql.ts';
import type { RulePreview, RulePreviewInput } from './contract.ts';
import { readRelease } from './exception.ts';
import { fingerprintsOf } from './fingerprint.ts';
import type { createOccurrences } from './occurrences.ts';
import { matches } from './rules/match.ts';
import { ISSUE_DAYS, PREVIEWED_ISSUES } from './values.ts';

const DAY_MS = 86_400_000;
const ISSUES_SHOWN = 10;

interface Newest {
  id: number;
  type: string;
  message: string;
  culprit: string;
  events: number;
  ts: number;
  uuid: string;
}

export async function previewRule(
  on: Queryable,
  read: ReturnType<typeof createOccurrences>['read'],
  projectId: number,
  { match, of, by = 'one' }: RulePreviewInput,
  now: number,
): Promise<RulePreview> {
  const newest = await newestOfIssues(on, projectId, now);
  const issues: RulePreview['issues'] = [];
  const hashes = new Set<string>();
  let matching = 0;
  let events = 0;
  for (const { id, type, message, culprit, events: count, ts, uuid } of newest) {
    const found = await read(projectId, { ts, uuid });
    if (found === null) continue;
    const { exceptions, event } = found;
    if (!matches({ match, of }, { exceptions, release: readRelease(event.properties) })) continue;
    matching += 1;
    events += count;
    const rule = { id: 'preview', name: 'preview', match, of, by };
    hashes.add(fingerprintsOf(exceptions, event.properties, [rule]).hashes[0] ?? '');
    if (issues.length < ISSUES_SHOWN) issues.push({ id, type, message, culprit, events: count });
  }
  return { looked: newest.length, matching, events, becomes: hashes.size, issues };
}

/** Of the issues that were seen last. */
function newestOfIssues(on: Queryable, projectId: number, now: number): Promise<Newest[]> {
  return query(
    on,
    sql`select issues.id, issues.type, issues.message, issues.culprit, newest.ts, newest.uuid, newest.events
          from (select id, type, message, culprit, last_seen from issues
                 where project_id = ${projectId} and merged_into is null
                 order by last_seen desc limit ${PREVIEWED_ISSUES}) as issues
          join lateral (
            select (array_agg(last_ts order by last_ts desc, last_uuid desc))[1] as ts,
                   (array_agg(last_uuid order by last_ts desc, last_uuid desc))[1] as uuid,
                   coalesce(sum(events) filter (where hour >= ${sql.time(now - ISSUE_DAYS * DAY_MS)}), 0)::int as events
              from issue_hours where project_id = ${projectId} and issue = issues.id) as newest on newest.ts is not null
         order by issues.last_seen desc, issues.id desc`,
  );
}
