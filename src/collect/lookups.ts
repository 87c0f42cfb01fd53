/**
 * What an address and a user agent tell: country, bot, browser and device. Answers are remembered, since the same visitor asks for
 * each event. The country database is the bundled one (CC BY 4.0, data of the regional registries, see docs/wire.md).
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
import { type CountryResponse, Reader } from 'mmdb-lib';
import type { JsonObject } from '#src/kit/json.ts';
import { createRecent } from '#src/kit/recent.ts';
import { isAutomatedAgent } from './steps/automated-agents.ts';
import type { Lookups } from './steps/draft.ts';

/** User agents are as long as a request's headers may be. */
const byUserAgent = {
  maxBytes: 4 * 1024 * 1024,
  bytesOf: (userAgent: string) => 2 * userAgent.length + 500,
};

const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** The database holds no more than the code. */
interface Country {
  country_code?: string;
}

/**
 * Opens the country database; it is read (8 MB, some ms) with the first address that is looked up.
 * @throws when it is not there, or not the whole of it
 */
export async function createLookups(): Promise<Lookups> {
  const readerOf = openDatabase(createRequire(import.meta.url).resolve(DATABASE));
  const countries = createRecent<string, { code: string | null }>(20_000);
  const bots = createRecent<string, boolean>(4_000, byUserAgent);
  const devices = createRecent<string, JsonObject>(4_000, byUserAgent);
  return {
    country(address) {
      let found = countries.get(address);
      if (found === undefined) {
        found = { code: (readerOf().get(address) as Country | null)?.country_code ?? null };
        countries.set(address, found);
      }
      return found.code;
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

/** What such a file says of itself is at its end, behind these bytes. */
const MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const END_BYTES = 4_096;

/** It stays open until it is read for the first time: where a file is replaced and not overwritten meanwhile, it is still there for us. */
function openDatabase(path: string): () => Reader<CountryResponse> {
  const file = openSync(path, 'r');
  const end = Buffer.alloc(END_BYTES);
  readSync(file, end, { position: Math.max(0, fstatSync(file).size - END_BYTES) });
  if (!end.includes(MARK)) throw new Error(`${path} is not a complete country database`);
  let reader: Reader<CountryResponse> | null = null;
  return () => {
    if (reader === null) {
      reader = new Reader<CountryResponse>(readFileSync(file));
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
