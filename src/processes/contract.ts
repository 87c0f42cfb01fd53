/** The report of a process. Read by the browser, so no imports from the server. */

export type ProcessRole = 'web' | 'worker';

export interface RunningProcess {
  role: ProcessRole;
  /** Name of the machine or container. */
  host: string;
  version: string;
  node: string;
  startedAt: number;
  rssBytes: number;
}
