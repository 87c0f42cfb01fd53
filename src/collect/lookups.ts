/**
 * What an address and a user agent tell: country, bot, browser and device. Answers are remembered, since the same visitor asks for
 * each event. The country database is the bundled one (CC BY 4.0, data of the regional registries, see docs/wire.md).
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { detectBrowser, detectBrowserVersion, detectDevice, detectDeviceType, detectOS } from '@posthog/core/utils';
import { isbot } from 'isbot';
import { type CountryResponse, Reader } from 'mmdb-lib';
import type { JsonObject } from '#src/kit/json.ts';
import { createRecent } from '#src/kit/recent.ts';
import type { Lookups } from './steps/draft.ts';

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** The database holds no more than the code. */
interface Country {
  country_code?: string;
}

/** Reads the country database. Takes some 20 MB of memory. */
export async function createLookups(): Promise<Lookups> {
  const bytes = await readFile(createRequire(import.meta.url).resolve(DATABASE));
  const reader = new Reader<CountryResponse>(bytes);
  const countries = createRecent<string, { code: string | null }>(20_000);
  const bots = createRecent<string, boolean>(4_000);
  const devices = createRecent<string, JsonObject>(4_000);
  return {
    country(address) {
      let found = countries.get(address);
      if (found === undefined) {
        found = { code: (reader.get(address) as Country | null)?.country_code ?? null };
        countries.set(address, found);
      }
      return found.code;
    },
    isBot(userAgent) {
      let found = bots.get(userAgent);
      if (found === undefined) {
        found = isbot(userAgent);
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

/** The properties that posthog-js would have sent for this user agent, without those it could not tell. */
export function describeDevice(userAgent: string): JsonObject {
  const device: JsonObject = {};
  const browser = detectBrowser(userAgent, '');
  const version = detectBrowserVersion(userAgent, '');
  const [os, osVersion] = detectOS(userAgent);
  const model = detectDevice(userAgent);
  if (browser !== '') device['$browser'] = browser;
  if (version !== null && Number.isFinite(version)) device['$browser_version'] = version;
  if (os !== '') device['$os'] = os;
  if (osVersion !== '') device['$os_version'] = osVersion;
  if (model !== '') device['$device'] = model;
  if (browser !== '' || os !== '') device['$device_type'] = detectDeviceType(userAgent);
  return device;
}
