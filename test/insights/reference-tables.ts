/** The tables of the overview once more, in the plainest way: each row of what happened is looked at, and values are compared as texts. */
import type { Happened, Reference } from './reference.ts';

/** The commonest first. `host`: of pages, where they are of several; else null. */
export type Table = [value: string, visitors: number, count: number, host: string | null][];

type Filter = (ts: number) => boolean;

/** A page in its one spelling: letters as they are, composed. Histories encode nothing but letters. */
export function pageRead(path: string | null): string | null {
  return path === null ? null : decodeURIComponent(path).normalize('NFC');
}

/** What is said of a visit, by its events in order. Null: nothing. */
const ofVisit: Record<string, (events: Happened[]) => string | null> = {
  entryPath: (events) => pageRead(events.filter(isView)[0]?.path ?? null),
  exitPath: (events) => pageRead(events.filter(isView).at(-1)?.path ?? null),
  entryHost: (events) => events.filter(isView)[0]?.host ?? null,
  exitHost: (events) => events.filter(isView).at(-1)?.host ?? null,
  referringDomain: ([first]) => first?.referringDomain ?? '$direct',
  source: ([first]) => sourceOf(first?.campaign?.utm_source ?? first?.referringDomain ?? '$direct'),
  channel: ([first]) => first?.channel ?? null,
  utmSource: ([first]) => first?.campaign?.utm_source?.toLowerCase() ?? null,
  utmMedium: ([first]) => first?.campaign?.utm_medium?.toLowerCase() ?? null,
  utmCampaign: ([first]) => first?.campaign?.utm_campaign?.toLowerCase() ?? null,
  utmTerm: ([first]) => first?.campaign?.utm_term?.toLowerCase() ?? null,
  utmContent: ([first]) => first?.campaign?.utm_content?.toLowerCase() ?? null,
  country: ([first]) => first?.country ?? null,
  region: ([first]) => placeOf(first),
  city: ([first]) => placeOf(first, 'Bom '),
  language: ([first]) => first?.device?.language ?? null,
  timeZone: ([first]) => first?.device?.timeZone ?? null,
  deviceType: ([first]) => first?.device?.type ?? null,
  browser: ([first]) => first?.device?.browser ?? null,
  os: ([first]) => first?.device?.system ?? null,
  viewportWidth: ([first]) => sizeOf(first?.device?.width),
};

/** Regions have the code `X1` where the country is known too. */
function placeOf(first: Happened | undefined, before = ''): string | null {
  if (!first?.region) return null;
  return `${before}${first.region}${first.country ? `, ${first.country}-X1` : ''}`;
}

/** What histories say of sources, by name. */
const sources: Record<string, string> = {
  'wa.me': 'WhatsApp',
  'l.instagram.com': 'Instagram',
  ig: 'Instagram',
  'm.blog.example': 'blog.example',
  direct: '$direct',
};

export function sourceOf(said: string): string {
  return sources[said.toLowerCase()] ?? said.toLowerCase();
}

/** Names of tables of visits, where they are not those of the field. */
const fields: Record<string, string> = { entryPage: 'entryPath', exitPage: 'exitPath' };

/** @param name as filters call it */
export function visitField(events: Happened[], name: string): string | null {
  return ofVisit[name]?.(events) ?? null;
}

/** The field of visits that a table is made by; null: it is not made of visits. */
export function fieldOf(dimension: string): string | null {
  const field = fields[dimension] ?? dimension;
  return Object.hasOwn(ofVisit, field) ? field : null;
}

interface Found {
  value: string;
  host: string;
  /** Null: another person. */
  person: string | null;
  isCounted: boolean;
}

/** Whether the table tells pages apart by host: it holds several. */
export function isByHost(reference: Reference, dimension: string, filter: Filter): boolean {
  if (!['page', 'entryPage', 'exitPage'].includes(dimension)) return false;
  const hosts = foundBy(reference, dimension, filter).flatMap(({ host }) => (host === '' ? [] : [host]));
  return new Set(hosts).size > 1;
}

export function tableOf(reference: Reference, dimension: string, filter: Filter, byHost: boolean): Table {
  return counted(foundBy(reference, dimension, filter), byHost);
}

/** Whose views or events a row of a table of events is made of. @param host null: the row is of all hosts */
export function peopleOfRow(
  reference: Reference,
  dimension: string,
  filter: Filter,
  row: { value: string; host: string | null },
): Set<string | null> {
  const found = foundBy(reference, dimension, filter);
  const own = found.filter(({ value, host }) => value === row.value && (row.host === null || host === row.host));
  return new Set(own.map(({ person }) => person));
}

function foundBy(reference: Reference, dimension: string, filter: Filter): Found[] {
  const field = fieldOf(dimension);
  if (field !== null) {
    const begun = reference.visits(filter).map(({ events }) => ({
      value: visitField(events, field) ?? '',
      host: visitField(events, field.replace('Path', 'Host')) ?? '',
      person: null,
      isCounted: true,
    }));
    // Visitors as in the headline: persons with a view, regardless of the start of its visit.
    const views = reference.history.filter((happened) => filter(happened.ts) && isView(happened));
    const own = views.filter((happened) => reference.isCounted(happened) && reference.isWished(happened));
    const viewed = own.map(({ session, distinctId }) => {
      const events = session === null ? null : reference.eventsOf(session);
      return {
        value: (events && visitField(events, field)) ?? '',
        host: (events && visitField(events, field.replace('Path', 'Host'))) ?? '',
        person: reference.personOf(distinctId),
        isCounted: false,
      };
    });
    return [...begun, ...viewed];
  }
  const people = reference.history.filter((happened) => filter(happened.ts) && reference.isCounted(happened));
  const wanted = people.filter((happened) => isOf(dimension, happened) && reference.isWished(happened));
  return wanted.map((happened) => ({
    value: saidBy(dimension, happened) ?? '',
    host: happened.host ?? '',
    person: reference.personOf(happened.distinctId),
    isCounted: true,
  }));
}

/** Of the visits that were entered with the page, how many there were and how many were bounces; and how many ended with it. */
export function pageFigures(
  reference: Reference,
  path: string,
  filter: Filter,
  host: string | null,
): [number, number, number] {
  const visits = reference.visits(filter);
  const isAt = (events: Happened[], edge: 'entry' | 'exit') =>
    (visitField(events, `${edge}Path`) ?? '') === path &&
    (host === null || (visitField(events, `${edge}Host`) ?? '') === host);
  const entered = visits.filter(({ events }) => isAt(events, 'entry'));
  const left = visits.filter(({ events }) => isAt(events, 'exit'));
  return [entered.length, entered.filter(({ isBounce }) => isBounce).length, left.length];
}

/** Bounces among the visits of a row, and how long all of them were together. */
export function visitFigures(
  reference: Reference,
  field: string,
  value: string,
  filter: Filter,
  host: string | null,
): [number, number] {
  const hostField = field.replace('Path', 'Host');
  const own = reference
    .visits(filter)
    .filter(({ events }) => (visitField(events, field) ?? '') === value)
    .filter(({ events }) => host === null || (visitField(events, hostField) ?? '') === host);
  return [own.filter(({ isBounce }) => isBounce).length, own.reduce((sum, { seconds }) => sum + seconds, 0)];
}

function isOf(dimension: string, happened: Happened): boolean {
  if (dimension === 'event') return true;
  if (dimension === 'outbound') return happened.event === '$autocapture' && (happened.outbound ?? null) !== null;
  return isView(happened);
}

function saidBy(dimension: string, happened: Happened): string | null {
  if (dimension === 'event') return happened.event;
  return pageRead((dimension === 'outbound' ? happened.outbound : happened.path) ?? null);
}

function isView({ event }: Happened): boolean {
  return event === '$pageview' || event === '$screen';
}

function sizeOf(width: number | undefined): string | null {
  if (width === undefined) return null;
  if (width < 576) return '0-575';
  if (width < 992) return '576-991';
  return width < 1440 ? '992-1439' : '1440+';
}

function counted(rows: Found[], byHost: boolean): Table {
  const hosts = byHost ? [...new Set(rows.map(({ host }) => host))] : [null];
  const values = [...new Set(rows.map(({ value }) => value))];
  return values
    .flatMap((value) =>
      hosts.map((host): Table[number] => {
        const own = rows.filter((row) => row.value === value && (host === null || row.host === host));
        const people = new Set(own.flatMap(({ person }) => person ?? []));
        return [value, people.size, own.filter(({ isCounted }) => isCounted).length, host];
      }),
    )
    .filter(([, visitors, count]) => visitors + count > 0)
    .sort((one, other) => other[2] - one[2] || byBytes(one[0], other[0]) || byBytes(one[3] ?? '', other[3] ?? ''));
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
