/**
 * The overview once more, in the plainest way: every event of a history is looked at, and its wall clock is written out as
 * text by the platform; ranges, buckets and comparisons are comparisons of texts. Shares no code with src/insights and
 * knows nothing of how events are stored.
 */

import { addDays, addMonths, daysBetween, monthsBefore } from './reference-dates.ts';
import { pageRead, sourceOf, visitField } from './reference-tables.ts';

/** An event as it happened. */
export interface Happened {
  uuid: string;
  event: string;
  distinctId: string;
  ts: number;
  session: string | null;
  bot: boolean;
  /** Internal traffic. */
  internal?: boolean;
  path: string | null;
  host?: string | null;
  referringDomain: string | null;
  /** A property of no group. */
  plan?: string | number | null;
  /** More properties of no group. */
  loose?: Record<string, string | number | boolean>;
  channel?: string | null;
  /** Parameters of the address that the visit was entered with. */
  campaign?: Partial<Record<`utm_${'source' | 'medium' | 'campaign' | 'term' | 'content'}`, string>> | null;
  country?: string | null;
  /** Stated with the country; the city is called by it. */
  region?: string | null;
  device?: Partial<{
    language: string;
    timeZone: string;
    type: string;
    browser: string;
    system: string;
    width: number;
  }> | null;
  /** Where the link led that was clicked, on another site. */
  outbound?: string | null;
  /** For `$identify`: the id that was used before. */
  anonymousId?: string;
  /** Its group: its key as `$group_key`, and its properties. */
  company?: Record<string, string | number> | null;
  /** In which batch it came: those of one are read in the order of time. */
  batch?: number;
}

/** What an event, or the visit it belongs to, must be like. */
export interface Wish {
  about: 'event' | 'session' | 'group_0';
  name: string;
  operator: string;
  values: (string | number)[];
}

export type Wishes = { match: 'all' | 'any'; of: (Wish | { match: 'all' | 'any'; of: Wish[] })[] };

export interface Question {
  preset: string | { from: string; to: string };
  compare: 'previous' | 'year' | 'weekday' | 'none' | { from: string; to: string };
  timeZone: string;
  weekStart: 0 | 1;
  now: number;
  filters?: Wishes | undefined;
  /** What is counted though it is no visitor's. */
  include?: ('bots' | 'internal')[];
  /** From which on a visit is no bounce; 10 without it. */
  bounceSeconds?: number;
}

export interface Numbers {
  visitors: number;
  visits: number;
  views: number;
  bounced: number;
  seconds: number;
  /** Views of the visits that began in the range. */
  visitViews: number;
  botViews: number;
  internalViews: number;
}

type Filter = (ts: number) => boolean;

const dayMs = 86_400_000;

/** Of ranges up to now that are not of dates, ms. */
function lengthOf(preset: Question['preset']): number | null {
  const lengths: Record<string, number> = {
    last_30_minutes: 30 * 60_000,
    last_hour: 3_600_000,
    last_24_hours: dayMs,
  };
  return typeof preset === 'string' ? (lengths[preset] ?? null) : null;
}

export class Reference {
  readonly question: Question;
  readonly history: Happened[];
  private readonly format: Intl.DateTimeFormat;
  readonly personOf: (distinctId: string) => string;
  private readonly clocks = new Map<number, string>();
  private places: { interval: string; keys: string[]; others: string[] } | null = null;

  /**
   * @param history in the order of arrival
   * @param apart ids that were split off a person afterwards
   */
  constructor(history: Happened[], question: Question, apart: readonly string[] = []) {
    this.question = question;
    this.history = history;
    this.format = new Intl.DateTimeFormat('en-CA', {
      timeZone: question.timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
    });
    const personOf = personsOf(history);
    this.personOf = (id) => (apart.includes(id) ? `apart ${id}` : personOf(id));
  }

  /** `2026-11-20 14:32:00.000` on the wall. */
  clock(ms: number): string {
    const known = this.clocks.get(ms);
    if (known !== undefined) return known;
    const part = Object.fromEntries(this.format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, second, fractionalSecond } = part;
    const text = `${year}-${month}-${day} ${hour}:${minute}:${second}.${fractionalSecond}`;
    this.clocks.set(ms, text);
    return text;
  }

  /** Is this moment asked for? */
  get current(): Filter {
    const { preset, now } = this.question;
    const length = lengthOf(preset);
    if (length !== null) return (ts) => ts >= now - length && ts < now;
    const { from, to } = this.dates();
    return (ts) => ts < now && this.clock(ts).slice(0, 10) >= from && this.clock(ts).slice(0, 10) < to;
  }

  /** Is this moment compared with? Null without a comparison. */
  get before(): Filter | null {
    const { preset, compare, now } = this.question;
    if (compare === 'none') return null;
    if (typeof compare === 'object' && !this.isShifted) {
      return (ts) => ts < now && this.isOnDates(ts, compare.from, addDays(compare.to, 1));
    }
    const length = lengthOf(preset);
    if (length !== null) {
      if (compare === 'previous') return (ts) => ts >= now - 2 * length && ts < now - length;
      const [from, to] = [this.shiftedClock(now - length), this.shiftedClock(now)];
      return (ts) => this.clock(ts) >= from && this.clock(ts) < to;
    }
    const { from, to } = this.dates();
    const shifted = { from: this.shift(from), to: this.shift(to) };
    if (shifted.from >= shifted.to) return null;
    const isOver = this.clock(now).slice(0, 10) >= to;
    const until = isOver ? '9999' : this.shiftedClock(now);
    return (ts) => ts < now && this.isOnDates(ts, shifted.from, shifted.to) && this.clock(ts) < until;
  }

  /** Is this moment in the bucket that begins at `start`? */
  bucket(interval: string, start: number): Filter {
    const { current } = this;
    const key = this.key(interval, this.clock(start));
    return (ts) => current(ts) && this.key(interval, this.clock(ts)) === key;
  }

  /** Is this moment in the bucket that the one beginning at `start` is compared with? */
  comparedBucket(interval: string, start: number): Filter {
    const { before } = this;
    const { preset, compare } = this.question;
    if (before === null) return () => false;
    if (typeof compare === 'object' && !this.isShifted) return this.bucketAtPlace(interval, start, compare);
    const clock = this.clock(start);
    const date = clock.slice(0, 10);
    const length = lengthOf(preset);
    if (length !== null && compare === 'previous') {
      return (ts) => before(ts) && this.key(interval, this.clock(ts + length)) === this.key(interval, clock);
    }
    if (interval === 'hour' || interval === 'day') {
      const key = `${this.shift(date)}${interval === 'hour' ? clock.slice(10, 13) : ''}`;
      return (ts) => this.hasCounterpart(date) && before(ts) && this.clock(ts).startsWith(key);
    }
    const end = interval === 'week' ? addDays(this.key('week', clock), 7) : `${addMonths(date.slice(0, 7), 1)}-01`;
    const rangeEnd =
      preset === 'last_24_hours' ? addDays(this.clock(this.question.now).slice(0, 10), 1) : this.dates().to;
    const [firstEnd] = [end, rangeEnd].sort();
    const [from, to] = [this.shift(date), this.shift(firstEnd as string)];
    return (ts) => before(ts) && this.clock(ts) >= from && this.clock(ts) < to;
  }

  count(filter: Filter): Numbers {
    const views = this.views(filter);
    const visits = this.visits(filter);
    return {
      visitors: new Set(views.filter((view) => this.isCounted(view)).map((view) => this.personOf(view.distinctId)))
        .size,
      views: views.filter((view) => this.isCounted(view)).length,
      botViews: views.filter((view) => whose(view) === 'bots').length,
      internalViews: views.filter((view) => whose(view) === 'internal').length,
      visits: visits.length,
      bounced: visits.filter((visit) => visit.isBounce).length,
      seconds: visits.reduce((sum, visit) => sum + visit.seconds, 0),
      visitViews: visits.reduce((sum, visit) => sum + visit.views, 0),
    };
  }

  /** Is this a visitor's, or what was asked for? */
  isCounted(happened: Happened): boolean {
    const by = whose(happened);
    return by === 'people' || (this.question.include ?? []).includes(by);
  }

  private views(filter: Filter): Happened[] {
    return this.history.filter((happened) => isView(happened) && filter(happened.ts) && this.isWished(happened));
  }

  /** Is this event kept by the filters? */
  isWished(happened: Happened): boolean {
    const { filters } = this.question;
    return filters === undefined || this.fulfils(happened, filters);
  }

  fulfils(happened: Happened, wish: Wish | Wishes | Wishes['of'][number]): boolean {
    if ('match' in wish) {
      if (wish.of.length === 0) return true;
      const answers = wish.of.map((each) => this.fulfils(happened, each));
      return wish.match === 'all' ? !answers.includes(false) : answers.includes(true);
    }
    const value = this.saying(happened, wish);
    const opposite: Record<string, string> = {
      ...{
        notEquals: 'equals',
        notContains: 'contains',
        notRegex: 'regex',
        isNotSet: 'isSet',
        isNotNumber: 'isNumber',
      },
    };
    const asked = opposite[wish.operator];
    // Campaigns are compared without regard to case.
    const isFolded = wish.about === 'session' && wish.name.startsWith('utm');
    const isPage = ['$pathname', 'entryPath', 'exitPath'].includes(wish.name);
    const isSource = wish.about === 'session' && wish.name === 'source' && /equals/i.test(wish.operator);
    const values = wish.values.map((wanted) => {
      if (isFolded) return `${wanted}`.toLowerCase();
      if (isSource) return sourceOf(`${wanted}`);
      return isPage && typeof wanted === 'string' ? (pageRead(wanted) as string) : wanted;
    });
    if (/^(before|after|onOr)/.test(wish.operator)) return this.isDated(value, wish.operator, `${wish.values[0]}`);
    return asked === undefined ? fits(value, wish.operator, values) : !fits(value, asked, values);
  }

  /** What an event, its visit or its group says; null: nothing. */
  saying(happened: Happened, { about, name }: Pick<Wish, 'about' | 'name'>): string | number | null {
    if (about === 'group_0') return happened.company?.[name] ?? null;
    return about === 'event' ? ofEvent(happened, name) : this.ofVisit(happened, name);
  }

  /** Dates are texts that a clock showed; what says where it hangs is shown by the project's first. */
  private isDated(value: string | number | null, operator: string, asked: string): boolean {
    if (typeof value !== 'string' || !isCalendar(value)) return false;
    const isWhole = asked.length === 10;
    const isMoment = /[T ].*(Z|[+-]..:?..)$/.test(value);
    if (isWhole || !isMoment) {
      const said = isMoment ? this.clock(Date.parse(isoOf(value))) : clockOf(value);
      const wanted = isWhole ? asked : /(Z|[+-]..:?..)$/.test(asked) ? this.clock(Date.parse(asked)) : clockOf(asked);
      return isOnSide(said.slice(0, wanted.length), operator, wanted);
    }
    const at = /(Z|[+-]..:?..)$/.test(asked) ? Date.parse(asked) : this.firstShowing(asked);
    return isOnSide(Date.parse(isoOf(value)), operator, at);
  }

  /** The first moment, by quarters of an hour, at which the clock shows this; just before it shows more, if it never does. */
  private firstShowing(asked: string): number {
    const wanted = clockOf(asked);
    const quarter = 15 * 60_000;
    let at = Date.parse(`${wanted.replace(' ', 'T')}Z`) - 16 * 3_600_000;
    while (this.clock(at) < wanted) at += quarter;
    return this.clock(at) === wanted ? at : Math.floor(at / quarter) * quarter - 0.5;
  }

  private ofVisit({ session }: Happened, name: string): string | number | null {
    if (session === null) return null;
    const events = this.eventsOf(session);
    const views = events.filter(isView);
    const [first, last] = [events[0] as Happened, events.at(-1) as Happened];
    if (name === 'views') return views.length;
    return name === 'seconds' ? (last.ts - first.ts) / 1000 : visitField(events, name);
  }

  /** The events of a visit, in order. */
  eventsOf(session: string): Happened[] {
    return this.history.filter((other) => other.session === session).sort(byTime);
  }

  /** Visits that began in the range and hold a view; `wished`: one that the filters keep. */
  visits(
    filter: Filter,
    { wished = true } = {},
  ): { events: Happened[]; isBounce: boolean; seconds: number; views: number }[] {
    const { bounceSeconds = 10 } = this.question;
    const bySession = new Map<string, Happened[]>();
    for (const happened of this.history) {
      if (happened.session === null) continue;
      bySession.set(happened.session, [...(bySession.get(happened.session) ?? []), happened]);
    }
    return [...bySession.values()].flatMap((events) => {
      const inOrder = [...events].sort(byTime);
      const first = inOrder[0] as Happened;
      const seconds = ((inOrder.at(-1) as Happened).ts - first.ts) / 1000;
      const views = events.filter(isView).length;
      const clicks = events.filter(({ event }) => event === '$autocapture').length;
      if (views === 0 || !filter(first.ts) || events.some((happened) => !this.isCounted(happened))) return [];
      if (wished && !events.some((happened) => isView(happened) && this.isWished(happened))) return [];
      return [{ events: inOrder, seconds, views, isBounce: views + clicks === 1 && seconds < bounceSeconds }];
    });
  }

  /** The range in dates, the last one not included. */
  private dates(): { from: string; to: string } {
    const { preset, now } = this.question;
    if (typeof preset === 'object') return { from: preset.from, to: addDays(preset.to, 1) };
    const today = this.clock(now).slice(0, 10);
    const month = today.slice(0, 7);
    const lastDays = /^last_(\d+)_days$/.exec(preset)?.[1];
    if (lastDays !== undefined) return { from: addDays(today, 1 - Number(lastDays)), to: addDays(today, 1) };
    const week = this.weekOf(today);
    const [from, to] = {
      today: [today, addDays(today, 1)],
      yesterday: [addDays(today, -1), today],
      last_7_full_days: [addDays(today, -7), today],
      this_week: [week, addDays(week, 7)],
      this_month: [`${month}-01`, `${addMonths(month, 1)}-01`],
      last_month: [`${addMonths(month, -1)}-01`, `${month}-01`],
      this_year: [`${month.slice(0, 4)}-01-01`, `${addMonths(month, 12).slice(0, 4)}-01-01`],
      last_12_months: [`${addMonths(month, -11)}-01`, addDays(today, 1)],
    }[preset] as [string, string];
    return { from, to };
  }

  /** The bucket of the dates compared with that has as many before it as the one beginning at `start`. */
  private bucketAtPlace(interval: string, start: number, compare: { from: string; to: string }): Filter {
    const { preset, now } = this.question;
    const { before } = this;
    if (this.places?.interval !== interval) {
      const { from, to } = preset === 'last_24_hours' ? { from: '', to: '' } : this.dates();
      this.places = {
        interval,
        keys:
          preset === 'last_24_hours'
            ? this.keysIn(interval, now - dayMs, now, () => true)
            : this.keysIn(interval, Date.parse(from) - dayMs, Date.parse(to) + dayMs, (ts) =>
                this.isOnDates(ts, from, to),
              ),
        others: this.keysIn(interval, Date.parse(compare.from) - dayMs, Date.parse(compare.to) + 2 * dayMs, (ts) =>
          this.isOnDates(ts, compare.from, addDays(compare.to, 1)),
        ),
      };
    }
    const { keys, others } = this.places;
    const other = others[keys.indexOf(this.key(interval, this.clock(start)))];
    return (ts) => other !== undefined && before?.(ts) === true && this.key(interval, this.clock(ts)) === other;
  }

  /** What tells the buckets apart, in order. */
  private keysIn(interval: string, from: number, to: number, isAsked: Filter): string[] {
    const step = interval === 'hour' ? dayMs / 96 : dayMs / 4;
    const keys = new Set<string>();
    for (let ts = from; ts < to; ts += step) if (isAsked(ts)) keys.add(this.key(interval, this.clock(ts)));
    return [...keys];
  }

  private isOnDates(ts: number, from: string, to: string): boolean {
    const date = this.clock(ts).slice(0, 10);
    return date >= from && date < to;
  }

  /** Dates that were given are as many as those of the range: each is compared with its own. */
  private get isShifted(): boolean {
    const { preset, compare } = this.question;
    if (typeof compare === 'string') return true;
    if (preset === 'last_24_hours') return false;
    const { from, to } = this.dates();
    return daysBetween(from, to) === daysBetween(compare.from, compare.to) + 1;
  }

  /** The date that this one is compared with; the first of the month after, where the month has no such day. */
  private shift(date: string): string {
    const months = this.monthsBack;
    if (months > 0) return monthsBefore(date, months);
    const { compare } = this.question;
    if (compare === 'weekday') return addDays(date, -52 * 7);
    const { from, to } = this.dates();
    return addDays(date, typeof compare === 'object' ? daysBetween(from, compare.from) : -daysBetween(from, to));
  }

  private hasCounterpart(date: string): boolean {
    return this.monthsBack === 0 || this.shift(date).slice(8) === date.slice(8);
  }

  /** By how many months the comparison lies back; 0 when by days. */
  private get monthsBack(): number {
    const { preset, compare } = this.question;
    if (compare === 'weekday' || typeof compare === 'object') return 0;
    if (compare === 'year' || preset === 'this_year' || preset === 'last_12_months') return 12;
    return preset === 'this_month' || preset === 'last_month' ? 1 : 0;
  }

  private shiftedClock(ms: number): string {
    const clock = this.clock(ms);
    const date = clock.slice(0, 10);
    return `${this.shift(date)}${this.hasCounterpart(date) ? clock.slice(10) : ''}`;
  }

  key(interval: string, clock: string): string {
    if (interval === 'minute') return clock.slice(0, 16);
    if (interval === 'hour') return clock.slice(0, 13);
    if (interval === 'day') return clock.slice(0, 10);
    return interval === 'month' ? clock.slice(0, 7) : this.weekOf(clock.slice(0, 10));
  }

  /** The first date of the week. */
  private weekOf(date: string): string {
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    return addDays(date, -((weekday - this.question.weekStart + 7) % 7));
  }
}

function whose({ bot, internal }: Happened): 'people' | 'bots' | 'internal' {
  if (internal) return 'internal';
  return bot ? 'bots' : 'people';
}

function isView({ event }: Happened): boolean {
  return event === '$pageview' || event === '$screen';
}

function byTime(one: Happened, other: Happened): number {
  return one.ts - other.ts || (one.uuid < other.uuid ? -1 : 1);
}

function ofEvent(happened: Happened, name: string): string | number | null {
  if (name === '$pathname') return pageRead(happened.path);
  if (name === '$host') return happened.host ?? null;
  return name === 'plan' ? (happened.plan ?? null) : happened.referringDomain;
}

function isOnSide<Value extends string | number>(value: Value, operator: string, asked: Value): boolean {
  if (operator === 'before') return value < asked;
  if (operator === 'after') return value > asked;
  return operator === 'onOrBefore' ? value <= asked : value >= asked;
}

/** Is there such a date? */
function isCalendar(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-](0\d|1[0-4]):?\d\d)?)?$/.test(text)) return false;
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text.slice(0, 10)) return false;
  // Nobody counts a year of that number, nor does PostgreSQL.
  if (text.startsWith('0000')) return false;
  return text.length === 10 || text.slice(11, 13) < '24';
}

/** As the clock of the reference writes it. */
function clockOf(text: string): string {
  const [, date, time = '00:00', seconds = '00', fraction = ''] =
    /^(.{10})(?:.(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?)?/.exec(text) ?? [];
  return `${date} ${time}:${seconds}.${`${fraction}000`.slice(0, 3)}`;
}

/** As the platform reads it. */
function isoOf(text: string): string {
  return text
    .replace(' ', 'T')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}

function fits(value: string | number | null, operator: string, values: (string | number)[]): boolean {
  if (value === null) return false;
  const text = `${value}`;
  if (operator === 'isSet') return true;
  if (operator === 'isNumber') return !Number.isNaN(numberSaid(text));
  if (operator === 'equals') return values.some((wanted) => `${wanted}` === text);
  const capitals = text.toUpperCase();
  const pieces = values.map((part) => `${part}`.toUpperCase());
  if (operator === 'startsWith') return pieces.some((piece) => capitals.indexOf(piece) === 0);
  if (operator === 'endsWith') return pieces.some((piece) => capitals.slice(-piece.length) === piece);
  if (operator === 'contains') return pieces.some((piece) => capitals.includes(piece));
  if (operator === 'regex') return new RegExp(`${values[0]}`).test(text);
  const number = numberSaid(text);
  const bound = Number(values[0]);
  if (operator === 'gt') return number > bound;
  if (operator === 'gte') return number >= bound;
  return operator === 'lte' ? number <= bound : number < bound;
}

/** What a text says as a number, as histories write some. */
export function numberSaid(text: string): number {
  const plain = text.replace('R$', '').trim();
  if (plain === '') return Number.NaN;
  return Number(/,\d\d?$/.test(plain) ? plain.replace('.', '').replace(',', '.') : plain);
}

/** Who is who after all that was said: batch after batch, and what came in one in the order in which it happened. */
function personsOf(history: Happened[]): (distinctId: string) => string {
  const owner = new Map<string, string>();
  const identified = new Set<string>();
  const meet = (distinctId: string): string => {
    if (!owner.has(distinctId)) owner.set(distinctId, `person of ${distinctId}`);
    return owner.get(distinctId) as string;
  };
  const inOrder = history.toSorted((one, other) => (one.batch ?? 0) - (other.batch ?? 0) || one.ts - other.ts);
  for (const { event, distinctId, anonymousId } of inOrder) {
    if (event === '$identify' && anonymousId !== undefined && anonymousId !== distinctId) {
      if (owner.has(anonymousId) && owner.has(distinctId)) {
        const [from, into] = [meet(anonymousId), meet(distinctId)];
        if (!identified.has(from)) for (const [id, person] of owner) if (person === from) owner.set(id, into);
      } else if (!owner.has(anonymousId)) owner.set(anonymousId, meet(distinctId));
      else if (!identified.has(meet(anonymousId))) owner.set(distinctId, meet(anonymousId));
    }
    const person = meet(distinctId);
    if (event === '$identify') identified.add(person);
  }
  return meet;
}
