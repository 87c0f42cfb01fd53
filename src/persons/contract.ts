/** Warnings about identities. Read by the browser, so types and constants only. */

/** Why something that an event asked of its person was not done. The event itself is stored. */
export const personWarningReasons = [
  'merge_refused', // the other person is identified already: only `$merge_dangerously` may join two identified persons
  'illegal_id', // one of the two ids of a merge identifies no person ("null", "anonymous", …)
  'too_many_group_types', // a project has five types of groups at most
  'properties_too_large', // a person or group holds about 512 kB at most; the event's additions were skipped
] as const;
export type PersonWarningReason = (typeof personWarningReasons)[number];
