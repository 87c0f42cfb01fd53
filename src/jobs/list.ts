/** The list of background jobs. Each is idempotent, and logs nothing while there is nothing to do. */
import type { Accounts } from '#src/accounts/accounts.ts';
import type { Alerts } from '#src/alerts/alerts.ts';
import type { Collect } from '#src/collect/collect.ts';
import type { Columns } from '#src/columns/columns.ts';
import type { Errors } from '#src/errors/errors.ts';
import type { Events } from '#src/events/events.ts';
import type { Explorer } from '#src/explorer/explorer.ts';
import type { Flags } from '#src/flags/flags.ts';
import type { Insights } from '#src/insights/insights.ts';
import type { Clock } from '#src/kit/clock.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Privacy } from '#src/privacy/privacy.ts';
import type { Processes } from '#src/processes/processes.ts';
import type { Profiles } from '#src/profiles/profiles.ts';
import type { Forget } from '#src/projects/forget.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Relay } from '#src/relay/relay.ts';
import type { Replays } from '#src/replays/replays.ts';
import type { Reports } from '#src/reports/reports.ts';
import type { Sizes } from '#src/store/sizes.ts';
import type { Job } from './jobs.ts';
import { untilNextMinute } from './schedule.ts';

export interface RecurringParts {
  accounts: Pick<Accounts, 'deletion' | 'links'>;
  mail: Pick<Mail, 'deliver'>;
  events: Pick<Events, 'maintain' | 'retire'>;
  columns: Pick<Columns, 'runMaintenance'>;
  /** Null while `/ingest` is relayed: nothing is collected here. */
  collect: Pick<Collect, 'tidy'> | null;
  relay: Pick<Relay, 'mirror' | 'mode' | 'tidy'> | null;
  privacy: Pick<Privacy, 'work' | 'noteRetired'>;
  explorer: Pick<Explorer, 'exports'>;
  profiles: Pick<Profiles, 'splits'>;
  insights: Pick<Insights, 'cohorts'>;
  flags: Pick<Flags, 'schedules'>;
  errors: Pick<Errors, 'group' | 'retire'>;
  alerts: Pick<Alerts, 'work' | 'tidy'>;
  replays: Pick<Replays, 'pack' | 'keepBudgets' | 'retire' | 'tidy'>;
  reports: Pick<Reports, 'work' | 'tidy'>;
  projects: Pick<Projects, 'get' | 'list'>;
  processes: Pick<Processes, 'tidy'>;
  sizes: Pick<Sizes, 'sample'>;
  /** Each room's deletion of a project's rows, in order. */
  forgets: readonly Forget[];
  clock: Clock;
}

/** Also run soon after exceptions were stored. */
export const GROUP_ERRORS = 'errors-group';

const MINUTE_MS = 60_000;
/** A run ends this long before the next minute … */
const MARGIN_MS = 2000;
/** ... and what it takes to be over then. */
const ENDING_MS = 500;

export function recurringWork(parts: RecurringParts): Job[] {
  const { accounts, mail, events, columns, collect, relay, privacy, explorer, profiles, forgets, clock } = parts;
  const { processes, sizes, insights, flags, projects, errors, alerts, replays, reports } = parts;
  const projectOf = async (id: number) => {
    const project = await projects.get(id);
    return project && { ...project, seesPersons: true };
  };
  const jobs: Job[] = [
    // Partitions of the next months, weeks of the uuid ledger; old weeks are dropped.
    { name: 'event-partitions', every: 'hour', run: () => events.maintain() },
    // Retries of mails; deletes old ones.
    { name: 'mail-deliver', every: 'minute', run: (signal) => mail.deliver(signal) },
    // Events that have come are sealed into columns.
    { name: 'columns-seal', every: 'minute', run: (signal) => columns.runMaintenance(signal) },
    // Retention of projects.
    {
      name: 'event-retention',
      every: 'day',
      run: (signal) =>
        events.retire({
          signal,
          async onRetired(retired) {
            await errors.retire(retired);
            await privacy.noteRetired(retired);
          },
        }),
    },
    // Deletes teams and projects after their grace period.
    { name: 'deletions', every: 'minute', run: (signal) => accounts.deletion.run(signal, forgets) },
    // Links that have ended are forgotten.
    { name: 'links-tidy', every: 'day', run: () => accounts.links.tidy() },
    // Erasure requests.
    { name: 'privacy-requests', every: 'minute', run: (signal) => privacy.work(signal) },
    // Events follow ids that were taken out of someone.
    { name: 'person-splits', every: 'minute', run: (signal) => profiles.splits.work(signal) },
    // Files of events that were asked for are made, and those of a week ago taken away.
    { name: 'event-exports', every: 'minute', run: (signal) => explorer.exports.work(signal) },
    // Exceptions are grouped into issues.
    { name: GROUP_ERRORS, every: 'minute', run: (signal) => errors.group(signal) },
    // Updates the members of dynamic cohorts.
    { name: 'cohorts', every: 'minute', run: (signal) => insights.cohorts.work(projectOf, signal) },
    // Alerts are evaluated, and their messages sent.
    { name: 'alerts', every: 'minute', run: (signal) => alerts.work(projectOf, signal) },
    // Deletes old evaluations and messages of alerts.
    { name: 'alerts-tidy', every: 'day', run: () => alerts.tidy() },
    // Reports by email that are due.
    { name: 'reports', every: 'minute', run: (signal) => reports.work(projectOf, signal) },
    // Deletes old history of reports, and addresses that never agreed.
    { name: 'reports-tidy', every: 'day', run: () => reports.tidy() },
    // Fixed lists follow merges.
    { name: 'cohort-lists', every: 'day', run: () => insights.cohorts.tidy() },
    // Scheduled changes of feature flags.
    { name: 'flag-schedules', every: 'minute', run: (signal) => flags.schedules.work(signal) },
    // Recordings that are over are packed.
    { name: 'replay-pack', every: 'minute', run: (signal) => replays.pack(signal) },
    // What recordings take is measured, and what is over a project's budget deleted.
    { name: 'replay-budgets', every: 'minute', run: (signal) => replays.keepBudgets(projects, signal) },
    // Retention of recordings.
    { name: 'replay-retention', every: 'hour', run: (signal) => replays.retire(projects, signal) },
    // Which copies of recordings were stored days ago is forgotten.
    { name: 'replay-tidy', every: 'hour', run: () => replays.tidy() },
    // How large the database is on this day.
    { name: 'size-samples', every: 'day', run: () => sizes.sample() },
    // Deletes reports of processes that ended a day ago.
    { name: 'processes-tidy', every: 'hour', run: () => processes.tidy() },
  ];
  // Secrets of cookieless counting are destroyed at the end of their second day, in each project's own zone: so every hour.
  if (collect) jobs.push({ name: 'collect-tidy', every: 'hour', run: () => collect.tidy() });
  // Counts of processes that are long over are put together.
  if (relay && relay.mode !== 'store') jobs.push({ name: 'relay-tidy', every: 'day', run: () => relay.tidy() });
  const mirror = relay?.mirror;
  if (mirror) {
    jobs.push(
      { name: 'mirror-partitions', every: 'hour', run: () => mirror.tendPartitions() },
      {
        name: 'mirror-deliver',
        every: 'minute',
        run: (signal) => byMinutes(clock, signal, (ms) => mirror.deliver(signal, ms)),
      },
    );
  }
  return jobs;
}

/**
 * Works until the end of the minute, when the next run takes over. The next run exits while this one is active, so a run that starts late or
 * is slow at its end continues through the next minute.
 */
async function byMinutes(clock: Clock, signal: AbortSignal, work: (ms: number) => Promise<unknown>): Promise<void> {
  for (;;) {
    const left = untilNextMinute(clock.now()) - MARGIN_MS;
    await work(left > 0 ? left : left + MINUTE_MS);
    const after = untilNextMinute(clock.now());
    if (signal.aborted || (after <= MARGIN_MS && after >= ENDING_MS)) return;
  }
}
