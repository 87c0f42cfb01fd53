/** Misconfigurations of proxy settings, and locations from proxy headers. Read by the browser, so no imports from the server. */

/**
 * `untrusted`: most requests pass more proxies than are trusted, so visitors get the address of one of them. `oneAddress`: nearly all visitors
 * have the same address, and the number of proxies is unknown. `excess`: nearly all requests pass fewer proxies than are trusted, so
 * visitors can forge addresses.
 */
export type ProxyProblem =
  | {
      kind: 'untrusted';
      /** TRUST_PROXY */
      trusted: number;
      /** That requests pass, as their headers say. */
      proxies: number;
      /** The right value of CLIENT_IP_HEADER; null when it is already set. */
      header: string | null;
    }
  | {
      kind: 'oneAddress';
      trusted: number;
      /** Visitors looked at, and those with this address. */
      visitors: number;
      same: number;
      /** A header that holds another address, fit for CLIENT_IP_HEADER; null when there is none. */
      header: string | null;
    }
  | {
      kind: 'excess';
      trusted: number;
      /** That requests pass, as their headers say. */
      proxies: number;
    };

/** A client's location from a trusted proxy. Null: not stated. */
export interface StatedLocation {
  /** ISO 3166-1, two capitals. */
  country: string;
  /** The part of the ISO 3166-2 code after the country. */
  region: string | null;
  regionName: string | null;
  city: string | null;
}
