/** Headers that the relay passes, in each direction. Pure. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** About one connection, never about the message. @see RFC 9110 section 7.6.1 */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];
/** Location headers of CDNs: more than a project may store. */
const CLIENT_LOCATION =
  /^(cf-(ip(country|city|continent|latitude|longitude)|region|region-code|metro-code|postal-code|timezone)|x-vercel-ip-.+|cloudfront-viewer-.+)$/;
/** The application's own secrets: cookies of the whole origin reach `/ingest`. */
const SECRETS = ['cookie', 'authorization'];
/** Statements about who the client is. We make the only ones that the upstream gets. */
const CLIENT_ADDRESS =
  /^(forwarded|(.+-)?forwarded-for|x-forwarded(-.+)?|(.+-)?(real|client|connecting|remote|originating|user|socket|connection)-?ip(v6)?|cf-pseudo-ipv4|x-remote-addr|x-envoy-external-address)$/;
/**
 * The newer server capture has its project token only in the Authorization header. A project token is public, since every page has it. Any
 * other value of this header is a secret, and is not passed.
 */
const SERVER_CAPTURE = /^\/i\/v1\/analytics\/events\/?(?:\?|$)/;
const PROJECT_TOKEN = /^Bearer (?:phc|lnt)_[\w-]{1,60}$/i;
/** Response headers that an upstream may not set for our origin. */
const NOT_FOR_OUR_ORIGIN = [
  'set-cookie',
  'strict-transport-security',
  'alt-svc',
  'clear-site-data',
  'nel',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'refresh',
  'content-security-policy',
  'content-security-policy-report-only',
];

export interface ClientFacts {
  /** Client address by the trusted hops; '' when disconnected, or when it must not be forwarded. */
  address: string;
  /** Host name that the client asked for. */
  host: string;
  protocol: string;
  /** CLIENT_IP_HEADER: states the address as well, so it does not cross. */
  ipHeader?: string | undefined;
}

/**
 * Headers of the request to the upstream. The caller adds `host`, and the length or encoding of the body stays what it was.
 * @param path below `/ingest`
 */
export function headersForUpstream(
  headers: IncomingHttpHeaders,
  client: ClientFacts,
  path: string,
): Record<string, string> {
  const kept: Record<string, string> = {};
  const dropped = new Set([...HOP_BY_HOP, ...SECRETS, ...namedByConnection(headers.connection), 'host']);
  if (client.ipHeader !== undefined) dropped.add(client.ipHeader);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name) || CLIENT_ADDRESS.test(name) || CLIENT_LOCATION.test(name)) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const { authorization } = headers;
  if (authorization !== undefined && SERVER_CAPTURE.test(path) && PROJECT_TOKEN.test(authorization)) {
    kept['authorization'] = authorization;
  }
  const address = client.address.replace(/^::ffff:/i, '');
  if (address !== '') {
    kept['x-forwarded-for'] = address;
    kept['x-real-ip'] = address;
  }
  kept['x-forwarded-host'] = client.host;
  kept['x-forwarded-proto'] = client.protocol;
  return kept;
}

/** Headers of the upstream's answer that the client gets. */
export function headersForClient(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept: OutgoingHttpHeaders = {};
  const dropped = new Set([...HOP_BY_HOP, ...NOT_FOR_OUR_ORIGIN, ...namedByConnection(headers.connection)]);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !dropped.has(name)) kept[name] = value;
  // A page of the upstream, opened at our address, must not run as one of ours; scripts and data that pages load do not care.
  kept['content-security-policy'] = "sandbox; default-src 'none'";
  kept['x-content-type-options'] = 'nosniff';
  return kept;
}

function namedByConnection(connection: string | undefined): string[] {
  return (connection ?? '').split(',').map((name) => name.trim().toLowerCase());
}
