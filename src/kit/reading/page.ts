/** The page that an event happened on, as its project reads it. Pure. */
import type { JsonObject } from '../json.ts';
import type { Reader } from './reader.ts';

/** Properties of a page. */
export interface PageSource {
  pathname: string | null;
  screen: string | null;
  /** The whole address. */
  address: string | null;
}

/** Its path, else the name of the screen. */
export function pageOf(reader: Reader, { pathname, screen, address }: PageSource): string | null {
  return pathname === null ? screen : reader.value('$pathname', pathname, [address]);
}

/** The same of properties: also the address, where nothing else is known. */
export function pageOfProperties(reader: Reader, properties: JsonObject | null): string | null {
  const text = (name: string): string | null => {
    const value = properties?.[name];
    if (value === undefined || value === null || value === '') return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const address = text('$current_url');
  return pageOf(reader, { pathname: text('$pathname'), screen: text('$screen_name'), address }) ?? address;
}
