/**
 * Looks up addresses and user agents: place, bot, browser and device. Results are cached, since a visitor sends many
 * events. The country database is the bundled one (CC BY 4.0, data of the regional registries, see docs/wire.md); cities come from one
 * that the operator names.
 */

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  detectBrowser,
  detectBrowserVersion,
  detectDevice,
  detectDeviceType,
  detectOS,
  detectWebviewApp,
} from '@posthog/core/utils';
import { isbot } from 'isbot';
import { Reader, type Response } from 'mmdb-lib';
import type { Config } from '#src/config.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createRecent } from '#src/kit/recent.ts';
import { isAutomatedAgent } from './steps/automated-agents.ts';
import type { Lookups, Place } from './steps/draft.ts';

/** User agents are as long as a request's headers may be. */
const byUserAgent = {
  maxBytes: 4 * 1024 * 1024,
  bytesOf: (userAgent: string) => 2 * userAgent.length + 500,
};

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** Names by language. */
interface PlaceName {
  iso_code?: string;
  names?: Readonly<Record<string, string>>;
}

/** A record in the nested format of MaxMind and DB-IP, or the flat one of the bundled database. */
interface LocationRecord {
  country?: PlaceName;
  subdivisions?: PlaceName[];
  city?: PlaceName | string;
  country_code?: string;
  state1?: string;
}

/**
 * Opens the databases of countries and of cities; each is read at the first look-up (8 MB in some ms; cities 100 MB and more).
 * @throws when a file is missing or truncated
 */
export async function createLookups({
  GEOIP_DATABASE,
}: Partial<Pick<Config, 'GEOIP_DATABASE'>> = {}): Promise<Lookups> {
  const countriesOf = openDatabase(createRequire(import.meta.url).resolve(DATABASE));
  const citiesOf = GEOIP_DATABASE === undefined ? null : openCities(GEOIP_DATABASE);
  const places = createRecent<string, Place>(20_000);
  const bots = createRecent<string, boolean>(4_000, byUserAgent);
  const devices = createRecent<string, JsonObject>(4_000, byUserAgent);
  return {
    place(address) {
      let found = places.get(address);
      if (found === undefined) {
        const city = placeOf(citiesOf?.().get(address) ?? null);
        found = city.country === null ? placeOf(countriesOf().get(address)) : city;
        places.set(address, found);
      }
      return found;
    },
    isBot(userAgent) {
      let found = bots.get(userAgent);
      if (found === undefined) {
        found = isbot(userAgent) || isAutomatedAgent(userAgent);
        bots.set(userAgent, found);
      }
      return found;
    },
    device(userAgent) {
      let found = devices.get(userAgent);
      if (found === undefined) {
        found = describeDevice(userAgent);
        devices.set(userAgent, found);
      }
      return found;
    },
  };
}

function placeOf(entry: unknown): Place {
  const { country, subdivisions, city, country_code, state1 } = (entry ?? {}) as LocationRecord;
  const region = subdivisions?.[0];
  return {
    country: country?.iso_code ?? country_code ?? null,
    region: region?.iso_code ?? null,
    regionName: nameOf(region) ?? state1 ?? null,
    city: nameOf(city) ?? null,
  };
}

/** In English, as names in events of other analytics are; flat databases have texts. */
function nameOf(place: PlaceName | string | undefined): string | null {
  const name = typeof place === 'string' ? place : place?.names?.['en'];
  return name === undefined || name === '' ? null : name;
}

function openCities(path: string): () => Reader<Response> {
  try {
    return openDatabase(path);
  } catch (error) {
    throw new Error(`GEOIP_DATABASE cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Marker before the metadata at the end of the file. */
const MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const END_BYTES = 4_096;

/** It stays open until it is read for the first time: where a file is replaced and not overwritten meanwhile, it is still there for us. */
function openDatabase(path: string): () => Reader<Response> {
  const file = openSync(path, 'r');
  const end = Buffer.alloc(END_BYTES);
  readSync(file, end, { position: Math.max(0, fstatSync(file).size - END_BYTES) });
  if (!end.includes(MARK)) throw new Error(`${path} is not a complete database of places`);
  let reader: Reader<Response> | null = null;
  return () => {
    if (reader === null) {
      reader = new Reader<Response>(readFileSync(file));
      closeSync(file);
    }
    return reader;
  };
}

/** The properties that posthog-js would have sent for this user agent, without those it could not tell. */
export function describeDevice(userAgent: string): JsonObject {
  const device: JsonObject = {};
  const browser = detectBrowser(userAgent, '');
  const version = detectBrowserVersion(userAgent, '');
  const [os, osVersion] = detectOS(userAgent);
  const model = detectDevice(userAgent);
  const [app, appVersion] = detectWebviewApp(userAgent);
  if (browser !== '') device['$browser'] = browser;
  if (version !== null && Number.isFinite(version)) device['$browser_version'] = version;
  if (app !== '') device['$webview_app'] = app;
  if (appVersion !== '') device['$webview_app_version'] = appVersion;
  if (os !== '') device['$os'] = os;
  if (osVersion !== '') device['$os_version'] = osVersion;
  if (model !== '') device['$device'] = model;
  if (browser !== '' || os !== '') device['$device_type'] = detectDeviceType(userAgent);
  return device;
}
