/** The client's location from a trusted proxy's headers. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '#src/config.ts';
import type { StatedLocation } from './contract.ts';
import type { LocationHeaders } from './values.ts';

export type LocationSettings = Pick<Config, 'TRUST_PROXY' | 'GEOIP_HEADERS'>;

/** Longer names of places are no names. */
const MAX_LENGTH = 100;
/** Networks write these where they do not know the country, and for Tor. */
const NO_COUNTRY = new Set(['XX', 'T1']);

/** Null without trusted proxies, without the setting, or without a country. */
export function statedLocation(
  { TRUST_PROXY, GEOIP_HEADERS }: LocationSettings,
  headers: IncomingHttpHeaders,
): StatedLocation | null {
  if (TRUST_PROXY === 0 || GEOIP_HEADERS === undefined) return null;
  const said = (part: keyof LocationHeaders) => {
    const name = GEOIP_HEADERS[part];
    return name === undefined ? null : placeName(headers[name]);
  };
  const country = said('country')?.toUpperCase() ?? '';
  if (!/^[A-Z]{2}$/.test(country) || NO_COUNTRY.has(country)) return null;
  return {
    country,
    region: regionCode(said('region'), country),
    regionName: said('regionName'),
    city: said('city'),
  };
}

/** Some write the whole code, `BR-SP`. */
function regionCode(said: string | null, country: string): string | null {
  const code = said?.toUpperCase() ?? '';
  const own = code.startsWith(`${country}-`) ? code.slice(country.length + 1) : code;
  return /^[A-Z0-9]{1,3}$/.test(own) ? own : null;
}

/** Headers hold bytes: other letters come percent-encoded, or as UTF-8 that Node reads as Latin-1. */
function placeName(header: string | string[] | undefined): string | null {
  const said = Array.isArray(header) ? header.at(-1) : header;
  if (said === undefined) return null;
  const name = decoded(said).trim();
  return name === '' || name.length > MAX_LENGTH || CONTROL.test(name) ? null : name;
}

const CONTROL = /\p{C}/u;

function decoded(text: string): string {
  try {
    if (text.includes('%')) return decodeURIComponent(text);
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}
