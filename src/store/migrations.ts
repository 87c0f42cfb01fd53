/** The list of migrations, in order. Imported one by one, so that a bundle holds them and nothing reads a folder at run time. */
import type { Knex } from 'knex';
import * as foundation from './migrations/0001-foundation.ts';
import * as jobRuns from './migrations/0002-job-runs.ts';
import * as accounts from './migrations/0003-accounts.ts';
import * as mail from './migrations/0004-mail.ts';
import * as columns from './migrations/0005-columns.ts';
import * as apiKeys from './migrations/0006-api-keys.ts';
import * as privacy from './migrations/0007-privacy.ts';
import * as projects from './migrations/0009-projects.ts';
import * as goals from './migrations/0010-goals.ts';
import * as segments from './migrations/0011-segments.ts';
import * as exports from './migrations/0012-exports.ts';
import * as persons from './migrations/0013-persons.ts';
import * as groupNames from './migrations/0014-group-names.ts';
import * as personKeys from './migrations/0015-person-keys.ts';
import * as relayCounts from './migrations/0016-relay-counts.ts';
import * as erasedIds from './migrations/0019-erased-ids.ts';
import * as processReports from './migrations/0023-process-reports.ts';
import * as personChanges from './migrations/0024-person-changes.ts';
import * as groupsApart from './migrations/0025-groups-apart.ts';
import * as epochRanges from './migrations/0026-epoch-ranges.ts';
import * as accessNotices from './migrations/0027-access-notices.ts';
import * as hashedSessions from './migrations/0028-hashed-sessions.ts';
import * as operatorNames from './migrations/0029-operator-names.ts';
import * as tableFormat from './migrations/0030-table-format.ts';
import * as pageSpelling from './migrations/0031-page-spelling.ts';
import * as fieldNames from './migrations/0032-field-names.ts';
import * as retiredPersons from './migrations/0033-retired-persons.ts';
import * as sizeSamples from './migrations/0034-size-samples.ts';
import * as groupLooks from './migrations/0035-group-looks.ts';
import * as insights from './migrations/0036-insights.ts';
import * as flags from './migrations/0037-flags.ts';
import * as cohorts from './migrations/0038-cohorts.ts';
import * as searchKeys from './migrations/0039-search-keys.ts';
import * as packedProperties from './migrations/0040-packed-properties.ts';
import * as dashboards from './migrations/0041-dashboards.ts';
import * as shareLinks from './migrations/0042-share-links.ts';
import * as errors from './migrations/0045-errors.ts';
import * as alerts from './migrations/0047-alerts.ts';
import * as flagSchedules from './migrations/0048-flag-schedules.ts';
import * as experiments from './migrations/0049-experiments.ts';
import * as groupTypeWords from './migrations/0050-group-type-words.ts';
import * as replays from './migrations/0052-replays.ts';
import * as issueAlerts from './migrations/0055-issue-alerts.ts';
import * as issueMoves from './migrations/0056-issue-moves.ts';
import * as symbolSets from './migrations/0057-symbol-sets.ts';
import * as shareFilters from './migrations/0059-share-filters.ts';
import * as earlyAccess from './migrations/0060-early-access.ts';
import * as reports from './migrations/0063-reports.ts';
import * as replayComments from './migrations/0066-replay-comments.ts';
import * as heatmapPoints from './migrations/0069-heatmap-points.ts';
import * as projectSecrets from './migrations/0071-project-secrets.ts';
import * as experimentMetrics from './migrations/0072-experiment-metrics.ts';
import * as clickhouse from './migrations/0074-clickhouse.ts';
import * as droppedMonths from './migrations/0075-dropped-months.ts';

interface Migration {
  name: string;
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

const migrations: readonly Migration[] = [
  foundation,
  jobRuns,
  accounts,
  mail,
  columns,
  apiKeys,
  privacy,
  projects,
  goals,
  segments,
  exports,
  persons,
  groupNames,
  personKeys,
  relayCounts,
  erasedIds,
  processReports,
  personChanges,
  groupsApart,
  epochRanges,
  accessNotices,
  hashedSessions,
  operatorNames,
  tableFormat,
  pageSpelling,
  fieldNames,
  retiredPersons,
  sizeSamples,
  groupLooks,
  insights,
  flags,
  cohorts,
  searchKeys,
  packedProperties,
  dashboards,
  shareLinks,
  errors,
  alerts,
  flagSchedules,
  experiments,
  groupTypeWords,
  replays,
  issueAlerts,
  issueMoves,
  symbolSets,
  shareFilters,
  earlyAccess,
  reports,
  replayComments,
  heatmapPoints,
  projectSecrets,
  experimentMetrics,
  clickhouse,
  droppedMonths,
];

/** How many there are. */
export const knownMigrations = migrations.length;

/** A migration that could not be applied; knex has undone it. */
export class MigrationFailed extends Error {
  readonly migration: string;

  constructor(migration: string, cause: unknown) {
    super(`The migration ${migration} failed`, { cause });
    this.name = 'MigrationFailed';
    this.migration = migration;
  }
}

/** Migration source for knex. Used by `migrate` and by knexfile.ts. */
export const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => ({
    ...migration,
    up: async (knex) => {
      await migration.up(knex).catch((cause: unknown) => {
        throw new MigrationFailed(migration.name, cause);
      });
    },
  }),
};
