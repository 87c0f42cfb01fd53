/** Constants of filters that the browser reads too: no schemas, so no zod comes along. */

/** What is left out of every number unless a question takes it in: views by bots, and the team's own. */
export const traffic = ['bots', 'internal'] as const;

/** What a condition can be about. `session`: what is known of the whole visit; persons' properties are the present ones. */
export const filterSubjects = ['event', 'person', 'session'] as const;

/**
 * Fields of a visit. Pages are paths, those of its first and its last view, with their hosts; source, place and device are as its first event says. Campaigns
 * are compared without regard to case; `screenSize` is one of four classes of widths of the window, as `992-1439`.
 */
export const sessionFields = [
  'entryPath',
  'exitPath',
  'entryHost',
  'exitHost',
  'referringDomain',
  'channel',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'country',
  'language',
  'timeZone',
  'deviceType',
  'browser',
  'system',
  'screenSize',
  'seconds',
  'views',
] as const;

/** Conditions of one list. */
export const MAX_CONDITIONS = 20;
/** Characters of a value. */
export const MAX_VALUE_LENGTH = 1000;
