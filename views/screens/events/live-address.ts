/** State of *Live* in the URL. Pure. */
import type { LiveFilter } from '#src/events/contract.ts';
import { asSent, MAX_LIVE_PATH_LENGTH, MAX_LIVE_VALUE_LENGTH, MAX_LIVE_VALUES } from '#src/events/values.ts';

export interface LiveQuestion {
  filter: LiveFilter;
  /** Key of the event that is open. */
  event: string | null;
  /** How its numbers are counted is shown. */
  explains?: boolean;
}

/** Reads a query string, or what a form without JavaScript sent. What makes no sense is left out. */
export function readLive(search: URLSearchParams): LiveQuestion {
  const names = all(search, 'name');
  const exceptNames = all(search, 'not');
  const page = asSent((search.get('page') ?? '').trim()).slice(0, MAX_LIVE_PATH_LENGTH);
  const countries = all(search, 'country')
    .flatMap((text) => text.toUpperCase().split(/[\s,]+/))
    .filter((code) => /^[A-Z]{2}$/.test(code));
  const who = oneOf(['identified', 'anonymous'] as const, search.get('who'));
  const bots = oneOf(['hide', 'only'] as const, search.get('bots'));
  return {
    event: search.get('event'),
    ...(search.get('explain') === 'now' && { explains: true }),
    filter: {
      ...(names.length > 0 && { names }),
      ...(exceptNames.length > 0 && { exceptNames }),
      ...(page !== '' && { page }),
      ...(countries.length > 0 && { countries: [...new Set(countries)].slice(0, MAX_LIVE_VALUES) }),
      ...(who && { who }),
      ...(bots && { bots }),
    },
  };
}

/** The address of a question: `path`, and what was asked. */
export function liveAddress(path: string, { filter, event, explains = false }: LiveQuestion): string {
  const search = new URLSearchParams();
  for (const name of filter.names ?? []) search.append('name', name);
  for (const name of filter.exceptNames ?? []) search.append('not', name);
  if (filter.page !== undefined) search.set('page', filter.page);
  if (filter.countries !== undefined) search.set('country', filter.countries.join(','));
  if (filter.who !== undefined) search.set('who', filter.who);
  if (filter.bots !== undefined) search.set('bots', filter.bots);
  if (event !== null) search.set('event', event);
  if (explains) search.set('explain', 'now');
  const text = search.toString().replace(/%(2F|24|2C)/g, decodeURIComponent);
  return text === '' ? path : `${path}?${text}`;
}

/** Input of the calls; without conditions there is no filter in it. */
export function liveInput(project: string, { filter }: Pick<LiveQuestion, 'filter'>) {
  return { project, ...(Object.keys(filter).length > 0 && { filter }) };
}

function all(search: URLSearchParams, key: string): string[] {
  const texts = search.getAll(key).map((text) => text.trim().slice(0, MAX_LIVE_VALUE_LENGTH));
  return [...new Set(texts)].filter((text) => text !== '').slice(0, MAX_LIVE_VALUES);
}

function oneOf<Word extends string>(words: readonly Word[], text: string | null): Word | null {
  return words.find((word) => word === text) ?? null;
}
