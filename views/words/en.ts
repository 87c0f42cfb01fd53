/**
 * Every word on the screens, in English. The shape of this object is the catalogue: a language that lacks a key does
 * not compile. Texts with a number or a name in them are functions; numbers and dates arrive already formatted
 * (views/words/format.ts). Event and property names are data and never pass through here.
 */

import { counted } from './sentences.ts';

export const en = {
  language: 'en' as 'en' | 'pt-BR',
  /** How to write numbers and dates; read by format.ts. */
  writing: {
    locale: 'en-US',
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    points: 'pp',
    short: { thousand: 'k', million: 'M', billion: 'B' },
    monthYear: (month: string, year: number) => `${month} ${year}`,
  },

  nav: {
    main: 'Main',
    shortcuts: 'Shortcuts',
    skip: 'Skip to content',
    groupWatch: 'Watch',
    overview: 'Overview',
    live: 'Live',
    events: 'Events',
    groupUnderstand: 'Understand',
    people: 'People',
    goals: 'Goals',
    groupProduct: 'Product',
    ingestion: 'Ingestion',
    settings: 'Settings',
    more: 'More',
    search: 'Search',
    projects: 'Projects',
    switchProject: (name: string) => `Project ${name}. Switch project`,
    crumbs: 'Where you are',
    close: 'Close',
  },

  intake: {
    rate: (n: number, text: string) => counted(n, text, 'event a minute', 'events a minute'),
    listening: 'Listening, no events yet',
    quiet: 'Listening',
    offline: 'Offline',
  },

  appearance: {
    theme: 'Theme',
    language: 'Language',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    languages: { en: 'English', 'pt-BR': 'Português (Brasil)' },
  },

  offline: {
    title: 'You are offline.',
    text: 'Your numbers are on the server; they load when the connection is back.',
    unreachableTitle: 'The server does not answer.',
    unreachableText: 'Events that it already received are stored.',
    again: (text: string) => `Trying again in ${text} s`,
    trying: 'Trying…',
    tryNow: 'Try now',
  },

  range: {
    label: 'Date range',
    earlier: 'Earlier period',
    later: 'Later period',
    presets: {
      today: 'Today',
      yesterday: 'Yesterday',
      last_24_hours: 'Last 24 hours',
      last_7_days: 'Last 7 days',
      last_7_full_days: 'Last 7 full days',
      last_28_days: 'Last 28 days',
      last_30_days: 'Last 30 days',
      last_90_days: 'Last 90 days',
      this_week: 'This week',
      this_month: 'This month',
      last_month: 'Last month',
      this_year: 'This year',
      last_12_months: 'Last 12 months',
      all_time: 'All time',
    },
  },

  compare: {
    label: 'Comparison',
    previous: 'vs previous period',
    year: 'vs a year before',
    weekday: 'vs a year before, same weekdays',
    dates: (dates: string) => `vs ${dates}`,
    none: 'No comparison',
  },

  interval: {
    label: 'Interval',
    hour: 'Hour',
    day: 'Day',
    week: 'Week',
    month: 'Month',
  },

  metrics: {
    label: 'Headline metrics; choose one to draw it',
    visitors: 'Visitors',
    visits: 'Visits',
    views: 'Page views',
    viewsPerVisit: 'Views per visit',
    bounceRate: 'Bounce rate',
    visitDuration: 'Visit duration',
    of: (numerator: string, denominator: string) => `${numerator} of ${denominator}`,
    median: (text: string) => `median ${text}`,
  },

  change: {
    none: 'no change',
    new: 'new',
    from: (before: string) => `before: ${before}`,
    label: 'Change',
  },

  chart: {
    name: (metric: string, interval: 'hour' | 'day' | 'week' | 'month', range: string, before: string | null) =>
      `${metric} by ${interval}, ${range}${before === null ? '' : `, compared with ${before}`}`,
    explore: 'Arrow keys move through the chart, Home and End jump.',
    running: {
      hour: 'This hour, so far',
      day: 'Today, so far',
      week: 'This week, so far',
      month: 'This month, so far',
    },
    now: 'Now',
    today: 'Today',
    until: (time: string) => `until ${time}`,
    nothing: 'not received',
    asTable: 'Table',
    asChart: 'Chart',
    view: 'Drawn as',
    period: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
    before: 'Before',
    longDay: (hours: string) => `a day of ${hours} hours`,
    zone: {
      hour: (zone: string) => `Hours in ${zone}.`,
      day: (zone: string) => `Days in ${zone}.`,
      week: (zone: string) => `Weeks in ${zone}.`,
      month: (zone: string) => `Months in ${zone}.`,
    },
    counted: (until: string, before: string | null) =>
      before === null ? `Counted until ${until}.` : `Counted until ${until}, and the period before until ${before}.`,
  },

  /** Titles of tables, by their dimension. */
  tables: {
    page: 'Pages',
    entryPage: 'Entry pages',
    exitPage: 'Exit pages',
    outbound: 'Outbound links',
    channel: 'Channels',
    referringDomain: 'Referring domains',
    utmSource: 'Campaign sources',
    utmMedium: 'Campaign media',
    utmCampaign: 'Campaigns',
    utmTerm: 'Campaign terms',
    utmContent: 'Campaign contents',
    country: 'Countries',
    language: 'Languages',
    timeZone: 'Time zones',
    deviceType: 'Devices',
    browser: 'Browsers',
    system: 'Systems',
    screenSize: 'Screens',
    event: 'Events',
    vitals: 'Web vitals',
  },

  regions: {
    overview: 'Figures and chart',
    filters: 'Filters',
    stillCounting: (range: string) => `Still counting: ${range}…`,
    cancel: 'Cancel',
    loading: 'Loading',
  },

  people: {
    now: (n: number): string => (n === 1 ? 'person now' : 'people now'),
    anonymous: (short: string) => `Anonymous ${short}`,
  },

  copy: { code: 'Code', copy: 'Copy', copied: 'Copied', failed: 'Could not copy. Select the text and copy it.' },

  errors: {
    title: 'Could not load',
    retry: 'Try again',
    request: 'Request',
    noPermission: 'No permission',
    codes: {
      invalid: 'The server did not understand this question. Choose another period or filter.',
      unauthenticated: 'You are signed out. Sign in again.',
      forbidden: 'You have no access to this project. Ask its owner.',
      not_found: 'This does not exist, or you have no access to it.',
      conflict: 'Someone else changed this in the meantime. Reload and try again.',
      too_large: 'This is too much at once. Choose a shorter period, or leave out a filter on a rare property.',
      rate_limited: 'Too many questions at once. Wait a moment and try again.',
      upstream: 'A service behind Luneta did not answer properly. Try again.',
      timeout: 'The database did not answer in time. Try again, or choose a shorter period.',
      unavailable: 'The database is away for the moment. Try again.',
      internal: 'Something failed on our side, and it has been logged. Try again.',
      network: 'The server could not be reached. Check the connection and try again.',
      unreadable: 'The answer could not be read. Reload the page.',
    },
    retryAfter: (text: string) => `Try again in ${text} s.`,
    notFoundTitle: 'Nothing at this address',
    notFoundText: 'The link may be old, or the page belongs to a project you cannot see.',
  },
};

/** The catalogue's shape. `pt-br.ts` has the same keys, or does not compile. */
export type Words = typeof en;

/** Languages the screens speak. */
export type Language = Words['language'];
