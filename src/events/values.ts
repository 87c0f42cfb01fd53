/**
 * Constants of events without schemas: limits of the live stream's filter, readable paths (browsers percent-encode
 * non-ASCII letters), names of campaign properties. Pure.
 */

/** Values of one condition of the live stream's filter, and characters of each. */
export const MAX_LIVE_VALUES = 20;
export const MAX_LIVE_VALUE_LENGTH = 400;
/** Characters of its path. */
export const MAX_LIVE_PATH_LENGTH = 1_000;

/** The path with letters where a browser wrote their bytes. What is no letter, number or sign that one can see stays as it was sent. */
export function readable(path: string): string {
  return path.includes('%') ? path.replace(SEQUENCE, signOf) : path;
}

/** The path as browsers send it. */
export function asSent(typed: string): string {
  return typed.toWellFormed().replace(/[\u0080-\uffff]+/g, encodeURI);
}

/** Bytes that may be one sign of UTF-8. */
const SEQUENCE = /%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

function signOf(bytes: string): string {
  try {
    const sign = decodeURIComponent(bytes);
    return VISIBLE.test(sign) ? sign : bytes;
  } catch {
    return bytes; // not all such bytes are a sign
  }
}

/** Properties of a page's address that say which campaign or ad led to it, as posthog-js reads them (1.449). Persons keep them as well. */
export const campaignProperties = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'gclid',
  'gad_source',
  'gclsrc',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'twclid',
  'li_fat_id',
  'mc_cid',
  'igshid',
  'ttclid',
  'rdt_cid',
  'epik',
  'qclid',
  'sccid',
  'irclid',
  '_kx',
] as const;
