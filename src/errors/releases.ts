/** Releases of a project, by when the first event of each was seen: marks on charts. */
import type { ResolvedRange } from '#src/insights/contract.ts';
import type { Deps } from '#src/store/deps.ts';
import { query, sql } from '#src/store/sql.ts';

export interface Release {
  version: string;
  /** When it was first seen, ms. */
  at: number;
}

/** More are no marks any more. */
const MAX_RELEASES = 100;

/** The newest first. */
export function releasesIn(db: Deps['db'], projectId: number, { from, to }: ResolvedRange): Promise<Release[]> {
  return query(
    db,
    sql`select version, first_seen as at from releases
         where project_id = ${projectId} and first_seen >= ${sql.time(from)} and first_seen < ${sql.time(to)}
         order by first_seen desc, version desc
         limit ${MAX_RELEASES}`,
  );
}
