import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLookups } from '#src/collect/lookups.ts';
import { brazilianStates } from '#src/kit/brazil/values.ts';
import type { projectSettings } from '#src/projects/contract.ts';
import { statedLocation } from '#src/proxies/location.ts';
import { locationHeadersOf } from '#src/proxies/values.ts';
import fc from '#test/kit/fast-check.ts';
import { mmdb } from '#test/kit/mmdb.ts';
import { finished, testContext } from '../context.ts';

const campinas = { country: 'BR', region: 'SP', regionName: 'São Paulo', city: 'Campinas' };
const properties = {
  $geoip_country_code: 'BR',
  $geoip_subdivision_1_code: 'SP',
  $geoip_subdivision_1_name: 'São Paulo',
  $geoip_city_name: 'Campinas',
};
type Handling = ReturnType<typeof projectSettings.parse>['ipHandling'];
const geoOf = (sent: object, ipHandling: Handling = 'truncated', facts: object = { location: campinas }) =>
  finished({ properties: { $lib: 'web', ...sent } }, testContext({ settings: { ipHandling }, facts })).groups.geo;

describe('the place of an event', () => {
  it('is what a trusted proxy says, as far as the project keeps addresses', () => {
    expect(geoOf({}, 'full')).toEqual({ ...properties, $ip: '177.32.5.9' });
    expect(geoOf({}, 'truncated')).toEqual({ ...properties, $ip: '177.32.5.0' });
    expect(geoOf({}, 'none')).toEqual({ $geoip_country_code: 'BR' });
    expect(geoOf({ $geoip_disable: true }, 'none')).toBeUndefined();
  });

  it('is not the connection’s for an event that names another address, or of a server', () => {
    expect(geoOf({ $ip: '177.1.2.3' }, 'truncated')).toEqual({ $geoip_country_code: 'BR', $ip: '177.1.2.0' });
    expect(geoOf({ $lib: 'posthog-node' })).toBeUndefined();
  });

  it('is the event’s own where it says one, and never two in one', () => {
    const sent = { $geoip_country_code: 'PT', $geoip_city_name: 'Porto', $geoip_latitude: 41.1 };
    expect(geoOf(sent, 'full')).toEqual({ ...sent, $ip: '177.32.5.9' });
    expect(geoOf(sent, 'none')).toEqual({ $geoip_country_code: 'PT' });
  });

  it('differs by what the proxy says, also of the same address', () => {
    const context = testContext({ facts: { location: campinas } });
    const santos = { ...context, facts: { ...context.facts, location: { ...campinas, city: 'Santos' } } };
    const cityOf = (each: typeof context) =>
      finished({ properties: { $lib: 'web' } }, each).groups.geo?.['$geoip_city_name'];
    expect([cityOf(context), cityOf(santos), cityOf(context)]).toEqual(['Campinas', 'Santos', 'Campinas']);
  });

  it('knows each state of Brazil by its code and by its name, with accents or without', () => {
    for (const [code, name] of Object.entries(brazilianStates)) {
      const ways = [
        { region: code, regionName: null },
        { region: null, regionName: name },
        { region: null, regionName: name.normalize('NFD').replace(/\p{M}/gu, '') },
      ];
      for (const way of ways) {
        const location = { country: 'BR', city: null, ...way };
        expect(geoOf({}, 'truncated', { location })).toMatchObject({
          $geoip_subdivision_1_code: code,
          $geoip_subdivision_1_name: name,
        });
      }
    }
  });
});

describe('headers of places', () => {
  const cloudflare = { TRUST_PROXY: 1, GEOIP_HEADERS: locationHeadersOf('cloudflare') ?? undefined };

  it('are read as each network writes them', () => {
    const latin1 = Buffer.from('São Paulo').toString('latin1');
    expect(
      statedLocation(cloudflare, {
        'cf-ipcountry': 'BR',
        'cf-region-code': 'SP',
        'cf-region': latin1,
        'cf-ipcity': latin1,
      }),
    ).toEqual({ country: 'BR', region: 'SP', regionName: 'São Paulo', city: 'São Paulo' });
    expect(
      statedLocation(
        { TRUST_PROXY: 1, GEOIP_HEADERS: locationHeadersOf('Vercel') ?? undefined },
        { 'x-vercel-ip-country': 'BR', 'x-vercel-ip-country-region': 'SP', 'x-vercel-ip-city': 'S%C3%A3o%20Paulo' },
      ),
    ).toEqual({ country: 'BR', region: 'SP', regionName: null, city: 'São Paulo' });
    expect(
      statedLocation(
        { TRUST_PROXY: 1, GEOIP_HEADERS: locationHeadersOf('country=X-C, region=X-R,city=X-T') ?? undefined },
        { 'x-c': 'br', 'x-r': 'BR-MG', 'x-t': 'Belo Horizonte' },
      ),
    ).toEqual({ country: 'BR', region: 'MG', regionName: null, city: 'Belo Horizonte' });
  });

  it('say nothing without a trusted proxy, a setting or a country', () => {
    const headers = { 'cf-ipcountry': 'BR', 'cf-ipcity': 'Campinas' };
    expect(statedLocation({ ...cloudflare, TRUST_PROXY: 0 }, headers)).toBeNull();
    expect(statedLocation({ ...cloudflare, GEOIP_HEADERS: undefined }, headers)).toBeNull();
    for (const country of ['XX', 'T1', '', 'Brazil']) {
      expect(statedLocation(cloudflare, { ...headers, 'cf-ipcountry': country })).toBeNull();
    }
  });

  it('hold no more than a name, with any content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const city = statedLocation(cloudflare, { 'cf-ipcountry': 'BR', 'cf-ipcity': text })?.city ?? '';
        expect(city.length).toBeLessThanOrEqual(100);
        expect(city).not.toMatch(/\p{C}/u);
      }),
    );
  });

  it.each(['', 'fly', 'city=X-City', 'country=', 'country=X Y', 'planet=X'])('are not named by "%s"', (text) => {
    expect(locationHeadersOf(text)).toBeNull();
  });
});

describe('a database of cities', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'luneta-geo-')), 'cities.mmdb');
  const named = (en: string) => ({ names: { en } });

  it('tells region and city, nested or flat, and leaves to the other what it does not know', async () => {
    writeFileSync(
      path,
      mmdb({
        200: {
          country: { iso_code: 'BR' },
          subdivisions: [{ iso_code: 'SP', ...named('São Paulo') }],
          city: named('Campinas'),
        },
        201: { country_code: 'PT', state1: 'Lisboa', city: 'Lisboa' },
        8: { city: {} },
      }),
    );
    const lookups = await createLookups({ GEOIP_DATABASE: path });
    expect(lookups.place('200.1.2.3')).toEqual(campinas);
    expect(lookups.place('201.1.2.3')).toEqual({ country: 'PT', region: null, regionName: 'Lisboa', city: 'Lisboa' });
    expect(lookups.place('8.8.8.8')).toEqual({ country: 'US', region: null, regionName: null, city: null });
  });

  it('is refused by the setting’s name when it is none', async () => {
    writeFileSync(path, 'not a database');
    await expect(createLookups({ GEOIP_DATABASE: path })).rejects.toThrow('GEOIP_DATABASE cannot be used');
    await expect(createLookups({ GEOIP_DATABASE: `${path}.gone` })).rejects.toThrow('GEOIP_DATABASE cannot be used');
  });
});
