/** What the settings about proxies get wrong, and what proxies say of clients. Read by the browser, so no imports from the server. */

/**
 * `untrusted`: most requests pass more proxies than are trusted, so visitors get the address of one of them. `oneAddress`: nearly all visitors
 * have the same address, and nothing says how many proxies there are. `excess`: nearly all requests pass fewer proxies than are trusted, so
 * visitors can invent addresses.
 */
export type ProxyProblem =
  | {
      kind: 'untrusted';
      /** TRUST_PROXY */
      trusted: number;
      /** That requests pass, as their headers say. */
      proxies: number;
      /** What CLIENT_IP_HEADER has to name for that; null when it is right. */
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

/** Of a client, by a proxy that is trusted. Null: not said. */
export interface StatedLocation {
  /** ISO 3166-1, two capitals. */
  country: string;
  /** The part of the ISO 3166-2 code after the country. */
  region: string | null;
  regionName: string | null;
  city: string | null;
}
