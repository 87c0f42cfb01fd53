/** Hosts that count as a project's primary host: aliases of the site, and proxies of its pages. Pure. */

export interface HostRules {
  /** '': hosts are read as they were sent. */
  primaryHost: string;
  /** Hosts that are read as it; `*.preview.example` for any host below. */
  otherHosts: readonly string[];
}

/** Hosts of translators and archives, which show pages of any site. */
export const proxyHosts = [
  '*.translate.goog',
  'translate.googleusercontent.com',
  'webcache.googleusercontent.com',
  'translated.turbopages.org',
  '*.translatoruser.net',
  'web.archive.org',
] as const;

/** The host as it is read. */
export function readHost({ primaryHost, otherHosts }: HostRules, host: string): string {
  if (primaryHost === '') return host;
  const name = host.toLowerCase();
  return [...proxyHosts, ...otherHosts].some((pattern) => isHostOf(name, pattern)) ? primaryHost : host;
}

function isHostOf(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
