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
    shortcuts: 'Quick navigation',
    skip: 'Skip to content',
    groupWatch: 'Monitor',
    overview: 'Overview',
    live: 'Live',
    events: 'Events',
    groupUnderstand: 'Analyze',
    people: 'People',
    goals: 'Goals',
    dashboards: 'Dashboards',
    alerts: 'Alerts',
    reports: 'Reports',
    insights: 'Insights',
    errors: 'Errors',
    replays: 'Replays',
    flags: 'Feature flags',
    groupProduct: 'Manage',
    ingestion: 'Ingestion',
    settings: 'Settings',
    more: 'More',
    search: 'Search',
    projects: 'Projects',
    switchProject: (name: string) => `Switch project: ${name}`,
    crumbs: 'Breadcrumb',
    close: 'Close',
  },

  intake: {
    rate: (n: number, text: string) => counted(n, text, 'event/min', 'events/min'),
    listening: 'Waiting for first event',
    quiet: 'Receiving events',
    offline: 'Offline',
  },

  appearance: {
    theme: 'Theme',
    language: 'Language',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    languages: { en: 'English', 'pt-BR': 'Português (Brasil)' },
  },

  waiting: {
    title: (n: number, text: string) => `${counted(n, text, 'event is', 'events are')} waiting to be stored.`,
    text: 'Counted over all projects of this server. Data doesn’t include them yet.',
  },

  offline: {
    title: 'You’re offline',
    text: 'Data loads again when you’re back online.',
    unreachableTitle: 'Can’t reach the server',
    unreachableText: 'Events already received are stored.',
    again: (text: string) => `Retrying in ${text} s`,
    trying: 'Retrying…',
    tryNow: 'Retry now',
  },

  range: {
    label: 'Date range',
    earlier: 'Earlier period',
    later: 'Later period',
    presets: {
      last_30_minutes: 'Last 30 minutes',
      last_hour: 'Last hour',
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
    label: 'Compare',
    previous: 'Previous period',
    year: 'Year over year',
    weekday: 'Year over year (match weekday)',
    dates: (dates: string) => `vs. ${dates}`,
    none: 'No comparison',
  },

  interval: {
    label: 'Interval',
    minute: 'Minute',
    hour: 'Hour',
    day: 'Day',
    week: 'Week',
    month: 'Month',
  },

  metrics: {
    label: 'Metrics (select one to chart it)',
    visitors: 'Visitors',
    visits: 'Visits',
    views: 'Page views',
    viewsPerVisit: 'Views per visit',
    bounceRate: 'Bounce rate',
    visitDuration: 'Visit duration',
    of: (numerator: string, denominator: string) => `${numerator} of ${denominator}`,
    viewsIn: (views: string, visits: string) =>
      `${views} views of any page in ${visits} visits that started in the period`,
    median: (text: string) => `median ${text}`,
  },

  change: {
    none: 'No change',
    new: 'new',
    from: (before: string) => `previously ${before}`,
    label: 'Change',
  },

  chart: {
    name: (
      metric: string,
      interval: 'minute' | 'hour' | 'day' | 'week' | 'month',
      range: string,
      before: string | null,
    ) => `${metric} by ${interval}, ${range}${before === null ? '' : `, compared with ${before}`}`,
    explore: 'Use arrow keys to move between data points, Home and End to jump to the ends.',
    note: 'Press N to add an annotation to the point.',
    running: {
      hour: 'This hour (in progress)',
      day: 'Today (in progress)',
      week: 'This week (in progress)',
      month: 'This month (in progress)',
    },
    now: 'Now',
    today: 'Today',
    until: (time: string) => `until ${time}`,
    nothing: 'no data',
    asTable: 'Table',
    asChart: 'Chart',
    view: 'Chart type',
    period: { minute: 'Minute', hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
    before: 'Previous',
    longDay: (hours: string) => `${hours}-hour day`,
    zone: {
      minute: (zone: string) => `By minute, ${zone}`,
      hour: (zone: string) => `By hour, ${zone}`,
      day: (zone: string) => `By day, ${zone}`,
      week: (zone: string) => `By week, ${zone}`,
      month: (zone: string) => `By month, ${zone}`,
    },
    counted: (until: string, before: string | null) =>
      before === null
        ? `Data until ${until}.`
        : `Data until ${until}. Compared with the previous period until ${before}.`,
  },

  /** Titles of tables, by their dimension. */
  tables: {
    page: 'Pages',
    entryPage: 'Entry pages',
    exitPage: 'Exit pages',
    outbound: 'Outbound links',
    source: 'Sources',
    channel: 'Channels',
    referringDomain: 'Referring domains',
    utmSource: 'UTM sources',
    utmMedium: 'UTM mediums',
    utmCampaign: 'UTM campaigns',
    utmTerm: 'UTM terms',
    utmContent: 'UTM contents',
    country: 'Countries',
    region: 'Regions',
    city: 'Cities',
    language: 'Languages',
    timeZone: 'Time zones',
    deviceType: 'Devices',
    browser: 'Browsers',
    os: 'Operating systems',
    viewportWidth: 'Screen sizes',
    event: 'Events',
    vitals: 'Web Vitals',
  },

  regions: {
    overview: 'Metrics and chart',
    filters: 'Filters',
    stillCounting: (range: string) => `Loading ${range}…`,
    cancel: 'Cancel',
    loading: 'Loading',
  },

  people: {
    now: 'online now',
    anonymous: (short: string) => `Anonymous ${short}`,
  },

  copy: {
    code: 'Code',
    copy: 'Copy',
    copied: 'Copied',
    failed: 'Couldn’t copy. Select the text and copy it manually.',
  },

  errors: {
    title: 'Couldn’t load data',
    retry: 'Try again',
    request: 'Request ID',
    noPermission: 'No access',
    codes: {
      invalid: 'Invalid query. Choose another period or filter.',
      unauthenticated: 'You are signed out. Sign in again.',
      forbidden: 'You don’t have access to this project. Ask a team owner.',
      not_found: 'Not found, or you don’t have access.',
      conflict: 'Someone else changed this. Reload the page and try again.',
      too_large: 'Too much data for one query. Choose a shorter period or remove filters.',
      rate_limited: 'Too many requests. Wait a moment and try again.',
      upstream: 'A connected service returned an invalid response. Try again.',
      timeout: 'Query timed out. Choose a shorter period or try again.',
      busy: 'The server is busy. Try again in a moment.',
      unavailable: 'Database unavailable. Try again in a moment.',
      internal: 'Something went wrong on our side. The error was logged. Try again.',
      network: 'Can’t reach the server. Check your connection and try again.',
      unreadable: 'Unexpected server response. Reload the page.',
    },
    retryAfter: (text: string) => `Try again in ${text} s.`,
    notFoundTitle: 'Page not found',
    notFoundText: 'The link may be outdated, or you don’t have access to the project.',
  },
};

/** The catalogue's shape. `pt-br.ts` has the same keys, or does not compile. */
export type Words = typeof en;

/** Languages the screens speak. */
export type Language = Words['language'];
