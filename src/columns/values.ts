/** Constants shared with the browser. No schemas, so zod is not bundled. */

/** Traffic excluded by default: bots and internal traffic. */
export const traffic = ['bots', 'internal'] as const;

/** Group types of a project at most. */
export const MAX_GROUP_TYPES = 5;

/** The group types of a project by number: a query names one as the event property with its key is called, without `$`. */
export const groupSubjects = ['group_0', 'group_1', 'group_2', 'group_3', 'group_4'] as const;
export type GroupSubject = (typeof groupSubjects)[number];

/** The property of groups that is not stored among the others: their key. */
export const GROUP_KEY = '$group_key';

/** The group type with this number. */
export function groupSubject(type: number): GroupSubject | null {
  return groupSubjects[type] ?? null;
}

/** True when a subject of conditions, or a measure, is a group type. */
export function isGroupSubject(subject: unknown): subject is GroupSubject {
  return groupSubjects.some((each) => each === subject);
}

/** Number of a group type. */
export function groupTypeOf(subject: GroupSubject): number {
  return groupSubjects.indexOf(subject);
}

/** The event property with the key of the event's group of a type. */
export function keyProperty(subject: GroupSubject): string {
  return `$${subject}`;
}

/**
 * Subjects of conditions. `session`: fields of the whole visit; properties of persons and groups are the current ones. `group_0` to `group_4` are the
 * group types of the project.
 */
export const filterSubjects = ['event', 'person', 'session', ...groupSubjects] as const;

/** Fields of a visit by which there are tables. */
export const tableFields = [
  'source',
  'referringDomain',
  'channel',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'country',
  'region',
  'city',
  'language',
  'timeZone',
  'deviceType',
  'browser',
  'os',
  'viewportWidth',
] as const;

/**
 * Fields of a visit. `source` is a name, as `Instagram`; regions and cities are written `Campinas, BR-SP`. Pages are paths, those of its first and its
 * last view, with their hosts; source, place and device are as its first event says. Campaigns are compared without regard to case; `viewportWidth` is
 * one of four classes of widths of the window, as `992-1439`.
 */
export const sessionFields = [
  'entryPath',
  'exitPath',
  'entryHost',
  'exitHost',
  ...tableFields,
  'seconds',
  'views',
] as const;

/** Names that fields had before: filters in old addresses and scripts may have them. */
export const formerSessionFields: Readonly<Record<string, (typeof sessionFields)[number]>> = {
  system: 'os',
  screenSize: 'viewportWidth',
};

/** The field of this name, or of this former name; undefined for any other text. */
export function sessionFieldNamed(name: string): (typeof sessionFields)[number] | undefined {
  return Object.hasOwn(formerSessionFields, name)
    ? formerSessionFields[name]
    : sessionFields.find((field) => field === name);
}

/**
 * The property of persons that is not stored: in which cohorts of the project they are. Conditions name them (`equals`, `notEquals`), as they are called
 * now or were called before.
 */
export const COHORT = '$cohort';

/** Conditions of one list. */
export const MAX_CONDITIONS = 20;
/** Characters of a value. */
export const MAX_VALUE_LENGTH = 1000;

const LONG = '(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])';
const SHORT = '(0[469]|11)-(0[1-9]|[12][0-9]|30)';
const LEAP = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29';
const DATE = `(?!0000)([0-9]{4}-(${LONG}|${SHORT}|02-(0[1-9]|1[0-9]|2[0-8]))|${LEAP})`;
const OFFSET = '(Z|[+-](0[0-9]|1[0-4]):?[0-5][0-9])';
const TIME = `([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?`;
/** Of dates that there are, also for PostgreSQL. */
export const DATE_TIME = `^${DATE}([T ]${TIME}${OFFSET}?)?$`;
/** Of those of them that are moments. */
export const MOMENT = `[T ].*${OFFSET}$`;

/** No event of a website or an app that is measured today is older, ms. */
export const EARLIEST_PLAUSIBLE = Date.UTC(2000, 0, 1);

/** Events before the first plausible one are counted up to here; one more stands for all larger numbers. */
export const MAX_EARLY_COUNTED = 10_000;

/** The step of a funnel before this one (the first is 1) that is not optional; 0: there is none. */
export function stepBefore(step: number, optional: readonly number[]): number {
  let before = step - 1;
  while (optional.includes(before)) before--;
  return before;
}

/** Lengths of time that people know, s: times to convert are in intervals of one of them. */
export const timeWidths: readonly number[] = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800,
  1_209_600, 2_592_000, 7_776_000, 31_536_000, 157_680_000, 1_576_800_000,
];
/** Intervals of times to convert at most. */
export const MAX_TIMES = 20;
