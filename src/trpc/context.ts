/**
 * Context of procedures. The rooms' objects are created in main.ts and only pass through here: their types
 * are imported, never their code, so this room stays below them.
 */
import type { Accounts } from '#src/accounts/accounts.ts';
import type { Need, Reader } from '#src/accounts/contract.ts';
import type { Alerts } from '#src/alerts/alerts.ts';
import type { Clickhouse } from '#src/clickhouse/clickhouse.ts';
import type { Collect } from '#src/collect/collect.ts';
import type { Dashboards } from '#src/dashboards/dashboards.ts';
import type { Errors } from '#src/errors/errors.ts';
import type { Events } from '#src/events/events.ts';
import type { History } from '#src/events/history.ts';
import type { Live } from '#src/events/live.ts';
import type { Experiments } from '#src/experiments/experiments.ts';
import type { Explorer } from '#src/explorer/explorer.ts';
import type { Flags } from '#src/flags/flags.ts';
import type { Insights } from '#src/insights/insights.ts';
import type { Jobs } from '#src/jobs/jobs.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { People } from '#src/persons/people.ts';
import type { Privacy } from '#src/privacy/privacy.ts';
import type { Profiles } from '#src/profiles/profiles.ts';
import type { ApiKeys } from '#src/projects/api-keys/api-keys.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Proxies } from '#src/proxies/proxies.ts';
import type { Relay } from '#src/relay/relay.ts';
import type { Replays } from '#src/replays/replays.ts';
import type { Reports } from '#src/reports/reports.ts';
import type { Sharing } from '#src/sharing/sharing.ts';
import type { Status } from '#src/status/status.ts';
import type { Deps } from '#src/store/deps.ts';

/** Languages of the screens. */
export type Language = 'en' | 'pt-BR';

/** The rooms that procedures call; the same for every request. */
export interface Rooms {
  deps: Deps;
  limits: Limits;
  mail: Mail;
  projects: Projects;
  apiKeys: ApiKeys;
  accounts: Accounts;
  events: Events;
  live: Live;
  people: People;
  history: History;
  insights: Insights;
  dashboards: Dashboards;
  sharing: Sharing;
  alerts: Alerts;
  reports: Reports;
  flags: Flags;
  experiments: Experiments;
  errors: Errors;
  replays: Replays;
  explorer: Explorer;
  profiles: Profiles;
  /** Null while `/ingest` is relayed to an upstream: nothing is collected here. */
  collect: Collect | null;
  relay: Relay;
  /** Null without CLICKHOUSE_URL. */
  clickhouse: Clickhouse | null;
  privacy: Privacy;
  jobs: Jobs;
  status: Status;
  proxies: Proxies;
}

export interface Context extends Rooms {
  requestId: string;
  /** The signed-in user; null: not signed in. */
  reader: Reader | null;
  /** The sign-in session of `reader`. */
  sid: string;
  /** When `reader` last proved who they are, ms: at sign-in, or when they were asked again. */
  provedAt: number;
  /** The client, for rate limits and the audit log. */
  client: { address: string; userAgent: string };
  /** Required access by procedure: `access` of accounts/rights/values.ts, except in tests that have procedures of their own. */
  access: Readonly<Record<string, Need>>;
  /**
   * Fires when the caller is gone: the client hung up, or the page that asked was given up. A procedure's own `signal` is
   * absent for calls from within the process, this one never is.
   */
  signal: AbortSignal;
  language: Language;
}
