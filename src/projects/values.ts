/**
 * Entries of the lists in a project's settings: each rule normalizes an entry, or returns null for an invalid
 * one. Used by forms while typing, and by the server before storing. Pure, without schemas, so that screens can import it.
 */

/** Maximum bounce threshold, seconds. */
export const MAX_BOUNCE = 600;

/** More entries than this are no list that a person keeps. */
export const MAX_ENTRIES = 100;
const LONGEST_ENTRY = 255;

/** Entries as they are typed: one a line, or with commas between. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const HOST = /^(?:\*\.)?[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$|^\[[0-9a-f:.]+\]$/iu;

/**
 * An origin that may send: `https://shop.example`, with a port where there is one, `https://*.shop.example` for any host below. A host alone
 * means https.
 */
export function originEntry(text: string): string | null {
  const [, scheme = 'https', rest = ''] = /^(?:(https?):\/\/)?([^/?#\s]+)\/?$/i.exec(text.trim()) ?? [];
  const host = hostEntry(rest);
  if (host === null || rest.length > LONGEST_ENTRY) return null;
  return withoutDefaultPort(`${scheme.toLowerCase()}://${host}`);
}

/** Browsers never send the port that a scheme means by itself. */
function withoutDefaultPort(origin: string): string {
  return origin.replace(/^(http:.*):80$|^(https:.*):443$/, '$1$2');
}

/** A host of pages: `localhost`, `localhost:3000`, `*.preview.example` for any host below. Names are stored as browsers report them. */
export function hostEntry(text: string): string | null {
  const [, name = '', port] = /^(.+?)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  if (!HOST.test(name) || name.includes('..') || name.length > LONGEST_ENTRY) return null;
  if (port !== undefined && Number(port) > 65_535) return null;
  const star = name.startsWith('*.') ? '*.' : '';
  const parsed = URL.parse(`http://${name.slice(star.length)}/`)?.hostname;
  return parsed === undefined || parsed === ''
    ? null
    : `${star}${parsed}${port === undefined ? '' : `:${Number(port)}`}`;
}

/** One host, without a star. */
export function primaryHostEntry(text: string): string | null {
  const host = hostEntry(text);
  return host?.startsWith('*') ? null : host;
}

/** A domain with all below it: `pay.example`. */
export function domainEntry(text: string): string | null {
  const host = hostEntry(text);
  if (host === null || /:\d+$/.test(host)) return null;
  return host.replace(/^\*\./, '').replace(/^www\.(?=.)/, '');
}

/** An address of the network, or a range of them: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. */
export function addressEntry(text: string): string | null {
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text.trim()) ?? [];
  const most = isVersion4(address) ? 32 : isVersion6(address) ? 128 : null;
  if (most === null || (bits !== undefined && Number(bits) > most)) return null;
  return bits === undefined ? address.toLowerCase() : `${address.toLowerCase()}/${Number(bits)}`;
}

function isVersion4(address: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(address);
}

function isVersion6(address: string): boolean {
  return address.includes(':') && URL.parse(`http://[${address}]/`) !== null;
}

/** A distinct id, or `@shop.example` for all that are e-mail addresses there. */
export function idEntry(text: string): string | null {
  const id = text.trim();
  if (id === '' || id === '@' || id.length > 200) return null;
  return id.startsWith('@') && hostEntry(id.slice(1)) === null ? null : id;
}

/** Parameters of addresses that hold secrets or identify a person, on most sites: not stored unless a project wants them. */
export const secretParameters: readonly string[] = [
  ...['token', 'access_token', 'id_token', 'refresh_token', 'auth_token', 'reset_token', 'confirmation_token'],
  ...[
    'invite_token',
    'jwt',
    'sid',
    'session_id',
    'sessionid',
    'phpsessid',
    'jsessionid',
    'api_key',
    'apikey',
    'secret',
  ],
  ...[
    'client_secret',
    'signature',
    'otp',
    'password',
    'passwd',
    'pwd',
    'senha',
    'email',
    'e-mail',
    'phone',
    'telefone',
  ],
  ...['celular', 'cpf', 'cnpj', 'ssn'],
];

/** The name of a parameter of addresses. */
export function parameterEntry(text: string): string | null {
  const name = text.trim();
  return name.length <= 100 && /^[\w.~[\]-]+$/.test(name) ? name : null;
}

/** A token of another installation, as its pages send it already; never a personal key. */
export function tokenEntry(text: string): string | null {
  const token = text.trim();
  return /^[\x21-\x7e]{4,64}$/.test(token) && !/^(?:phx_|lnk_)/.test(token) ? token : null;
}

/** True for a name that this runtime knows as a time zone. */
export function isTimeZone(name: string): boolean {
  // "+03:00" would do for Intl, and for nothing else.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Sections of the settings screen that show what is listed here. */
type Section = 'senders' | 'capture' | 'own' | 'origin' | 'visitors';

/** Settings that are on or off: what a new project has, and where they are shown. Their texts: `views/words/settings-fields.ts`. */
export const switchSettings = {
  autocapture: { initial: true, section: 'capture' },
  exceptionCapture: { initial: true, section: 'capture' },
  webVitals: { initial: true, section: 'capture' },
  /** Clients send where visitors click. */
  heatmaps: { initial: false, section: 'capture' },
  cookieless: { initial: true, section: 'visitors' },
  /** Nothing is stored of browsers that ask not to be tracked (`DNT: 1`, `Sec-GPC: 1`). */
  respectDnt: { initial: false, section: 'visitors' },
} as const satisfies Record<string, { initial: boolean; section: Section }>;
export type SwitchSetting = keyof typeof switchSettings;

interface List {
  /** How an entry is stored; null: it is not valid. */
  entry(text: string): string | null;
  initial?: readonly string[];
  section: Section;
}

/** Settings with one entry a line. */
export const listSettings = {
  /** Origins whose browsers may send; empty: any. */
  allowedOrigins: { entry: originEntry, section: 'senders' },
  /** Internal traffic is stored, and excluded from reports by default: pages of these hosts (`*.` for subdomains) … */
  internalHosts: { entry: hostEntry, section: 'own' },
  /** … visitors from these addresses, single or in CIDR notation … */
  internalAddresses: { entry: addressEntry, section: 'own' },
  /** … and these distinct ids, or with an `@` in front all that are e-mail addresses of a domain. */
  internalIds: { entry: idEntry, section: 'own' },
  /** Domains, each with all below it, that are no referrers: payment gateways, and the team's other sites. */
  ignoredReferrers: { entry: domainEntry, section: 'origin' },
  /** Parameters that are taken out of addresses before they are stored, regardless of case. */
  strippedParameters: { entry: parameterEntry, initial: secretParameters, section: 'visitors' },
} as const satisfies Record<string, List>;
export type ListSetting = keyof typeof listSettings;

export const switchNames = Object.keys(switchSettings) as SwitchSetting[];
export const listNames = Object.keys(listSettings) as ListSetting[];

/** An object with a value for each name. */
export function ofAll<Name extends string, Made>(
  names: readonly Name[],
  make: (name: Name) => Made,
): Record<Name, Made> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Made>;
}

/** Hours for which a token or secret key goes on being accepted after a new one took its place. */
export const graceHours = [1, 24, 168, 720] as const;
export type GraceHours = (typeof graceHours)[number];
