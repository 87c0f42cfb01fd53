/** The tables of the overview once more, in the plainest way: each row of what happened is looked at, and values are compared as texts. */
import type { Happened, Reference } from './reference.ts';

/** `[value, visitors, count]`, the commonest first. */
export type Table = [value: string, visitors: number, count: number][];

type Filter = (ts: number) => boolean;

/** What is said of a visit, by its events in order. Null: nothing. */
const ofVisit: Record<string, (events: Happened[]) => string | null> = {
  entryPath: (events) => events.filter(isView)[0]?.path ?? null,
  exitPath: (events) => events.filter(isView).at(-1)?.path ?? null,
  referringDomain: ([first]) => first?.referringDomain ?? '$direct',
  channel: ([first]) => first?.channel ?? null,
  utmSource: ([first]) => first?.campaign?.utm_source?.toLowerCase() ?? null,
  utmMedium: ([first]) => first?.campaign?.utm_medium?.toLowerCase() ?? null,
  utmCampaign: ([first]) => first?.campaign?.utm_campaign?.toLowerCase() ?? null,
  utmTerm: ([first]) => first?.campaign?.utm_term?.toLowerCase() ?? null,
  utmContent: ([first]) => first?.campaign?.utm_content?.toLowerCase() ?? null,
  country: ([first]) => first?.country ?? null,
  language: ([first]) => first?.device?.language ?? null,
  timeZone: ([first]) => first?.device?.timeZone ?? null,
  deviceType: ([first]) => first?.device?.type ?? null,
  browser: ([first]) => first?.device?.browser ?? null,
  system: ([first]) => first?.device?.system ?? null,
  screenSize: ([first]) => sizeOf(first?.device?.width),
};

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

export function tableOf(reference: Reference, dimension: string, filter: Filter): Table {
  const field = fieldOf(dimension);
  if (field !== null) {
    return counted(
      reference.visits(filter).map(({ events }) => ({
        value: visitField(events, field) ?? '',
        person: reference.personOf((events[0] as Happened).distinctId),
      })),
    );
  }
  const people = reference.history.filter((happened) => filter(happened.ts) && reference.isCounted(happened));
  const wanted = people.filter((happened) => isOf(dimension, happened) && reference.isWished(happened));
  return counted(
    wanted.map((happened) => ({
      value: saidBy(dimension, happened) ?? '',
      person: reference.personOf(happened.distinctId),
    })),
  );
}

/** Of the visits that were entered with the page, how many there were and how many were bounces; and how many ended with it. */
export function pageFigures(reference: Reference, path: string, filter: Filter): [number, number, number] {
  const visits = reference.visits(filter);
  const entered = visits.filter(({ events }) => (visitField(events, 'entryPath') ?? '') === path);
  const left = visits.filter(({ events }) => (visitField(events, 'exitPath') ?? '') === path);
  return [entered.length, entered.filter(({ isBounce }) => isBounce).length, left.length];
}

/** Bounces among the visits of a row, and how long all of them were together. */
export function visitFigures(reference: Reference, field: string, value: string, filter: Filter): [number, number] {
  const own = reference.visits(filter).filter(({ events }) => (visitField(events, field) ?? '') === value);
  return [own.filter(({ isBounce }) => isBounce).length, own.reduce((sum, { seconds }) => sum + seconds, 0)];
}

function isOf(dimension: string, happened: Happened): boolean {
  if (dimension === 'event') return true;
  if (dimension === 'outbound') return happened.event === '$autocapture' && (happened.outbound ?? null) !== null;
  return isView(happened);
}

function saidBy(dimension: string, happened: Happened): string | null {
  if (dimension === 'event') return happened.event;
  return (dimension === 'outbound' ? happened.outbound : happened.path) ?? null;
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

function counted(rows: { value: string; person: string }[]): Table {
  const values = [...new Set(rows.map(({ value }) => value))];
  return values
    .map((value): Table[number] => {
      const own = rows.filter((row) => row.value === value);
      return [value, new Set(own.map(({ person }) => person)).size, own.length];
    })
    .sort((one, other) => other[2] - one[2] || Buffer.compare(Buffer.from(one[0]), Buffer.from(other[0])));
}
