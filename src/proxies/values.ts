/** Headers in which networks of delivery say where a client is. Constants and pure rules. */

/** Names of headers, in lower case. */
export interface LocationHeaders {
  /** ISO 3166-1 code. */
  country?: string;
  /** The part of the ISO 3166-2 code after the country. */
  region?: string;
  regionName?: string;
  city?: string;
}

/** Header names by their documentation. Fly.io's `Fly-Region` is the region of the edge, not of the client. */
const presets: Readonly<Record<string, LocationHeaders>> = {
  cloudflare: {
    country: 'cf-ipcountry',
    region: 'cf-region-code',
    regionName: 'cf-region',
    city: 'cf-ipcity',
  },
  vercel: {
    country: 'x-vercel-ip-country',
    region: 'x-vercel-ip-country-region',
    city: 'x-vercel-ip-city',
  },
  cloudfront: {
    country: 'cloudfront-viewer-country',
    region: 'cloudfront-viewer-country-region',
    regionName: 'cloudfront-viewer-country-region-name',
    city: 'cloudfront-viewer-city',
  },
};

const PART = /^(country|region|regionName|city)=([a-z0-9-]+)$/i;

/**
 * @param text a network's name, or `country=…, region=…, regionName=…, city=…` with the headers' names
 * @returns null when it is neither
 */
export function locationHeadersOf(text: string): LocationHeaders | null {
  const preset = text.trim().toLowerCase();
  if (Object.hasOwn(presets, preset)) return presets[preset] as LocationHeaders;
  const headers: LocationHeaders = {};
  for (const entry of text.split(',')) {
    const [, part, name] = PART.exec(entry.trim()) ?? [];
    if (part === undefined || name === undefined) return null;
    headers[part as keyof LocationHeaders] = name.toLowerCase();
  }
  return headers.country === undefined ? null : headers;
}
