/**
 * Sign-in with services that speak OpenID Connect: the authorization code flow with state, nonce and PKCE. A provider's metadata is
 * fetched at first use and cached for a day. ID tokens are signed, and the signature is verified.
 */
import type * as openid from 'openid-client';
import type { Config } from '#src/config.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { dayMs } from '#src/kit/zone.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Identity } from './identity.ts';

/** State kept while the user is at the provider. */
export interface Journey {
  provider: string;
  state: string;
  nonce: string;
  /** PKCE code verifier: only the browser that started can finish. */
  verifier: string;
}

export interface Oidc {
  providers(): { id: string; name: string; issuer: string }[];
  /** The authorization URL, and the state to keep. @throws AppError `not_found`, `upstream` when the provider does not answer */
  begin(provider: string): Promise<{ address: string; journey: Journey }>;
  /**
   * They came back with `search`.
   *
   * @throws AppError `forbidden` when they refused there, `upstream`, or `invalid` when what came is not what was asked for
   */
  finish(journey: Journey, search: string): Promise<Identity>;
}

interface Provider {
  id: string;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const KEPT_MS = dayMs;
const TIMEOUT_SEC = 10;

/** Loaded by the first who goes to a provider: most servers have none. */
const load = (): Promise<typeof openid> => import('openid-client');

export function createOidc({ config, clock, fetch }: Pick<Deps, 'config' | 'clock' | 'fetch'>): Oidc {
  const list = providersOf(config);
  const known = new Map<string, { found: Promise<openid.Configuration>; at: number }>();
  const providerOf = (id: string): Provider => {
    const provider = list.find((each) => each.id === id);
    if (provider === undefined) throw notFound('provider');
    return provider;
  };
  const callbackOf = (id: string) =>
    new URL(`/api/sign-in/provider/${id}/callback`, config.AUTH_URL ?? config.PUBLIC_APP_URL).href;

  async function discover({ issuer, clientId, clientSecret }: Provider): Promise<openid.Configuration> {
    const oidc = await load();
    const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, authenticateWith(oidc, clientSecret), {
      timeout: TIMEOUT_SEC,
      [oidc.customFetch]: (address, options) => fetch(address, options as RequestInit),
      // Only a provider on this machine has such an address: config.ts refuses others.
      execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
    });
    // The standard accepts TLS alone; we also require a valid signature on the ID token.
    oidc.enableNonRepudiationChecks(found);
    return found;
  }

  function serviceOf(provider: Provider): Promise<openid.Configuration> {
    const kept = known.get(provider.id);
    if (kept !== undefined && clock.now() - kept.at < KEPT_MS) return kept.found;
    const found = discover(provider).catch((cause: unknown) => {
      known.delete(provider.id);
      throw new AppError('upstream', 'The sign-in service isn’t responding. Try again in a moment.', { cause });
    });
    known.set(provider.id, { found, at: clock.now() });
    return found;
  }

  return {
    providers: () => list.map(({ id, name, issuer }) => ({ id, name, issuer })),
    async begin(id) {
      const oidc = await load();
      const service = await serviceOf(providerOf(id));
      const journey = {
        provider: id,
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const address = oidc.buildAuthorizationUrl(service, {
        redirect_uri: callbackOf(id),
        scope: 'openid email profile',
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(journey.verifier),
        code_challenge_method: 'S256',
      });
      return { address: address.href, journey };
    },
    async finish({ provider: id, state, nonce, verifier }, search) {
      const oidc = await load();
      const service = await serviceOf(providerOf(id));
      try {
        const tokens = await oidc.authorizationCodeGrant(service, new URL(`${callbackOf(id)}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims() as openid.IDToken;
        const { iss: issuer, sub: subject, email, email_verified: verified } = claims;
        return { issuer, subject, email: typeof email === 'string' ? email : null, emailVerified: verified === true };
      } catch (cause) {
        if (cause instanceof oidc.AuthorizationResponseError)
          throw new AppError('forbidden', 'Sign-in was rejected by the sign-in service.', { cause });
        throw new AppError('invalid', 'Invalid response from the sign-in service. Try again.', { cause });
      }
    },
  };
}

function providersOf({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, ...google }: Config): Provider[] {
  const list: Provider[] = [];
  if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID !== undefined && OIDC_CLIENT_SECRET !== undefined) {
    const name = OIDC_NAME ?? new URL(OIDC_ISSUER).hostname;
    list.push({ id: 'oidc', name, issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET });
  }
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = google;
  if (clientId !== undefined && clientSecret !== undefined) {
    list.push({ id: 'google', name: 'Google', issuer: 'https://accounts.google.com', clientId, clientSecret });
  }
  return list;
}

/** The provider's client authentication method: `client_secret_basic` is the default of the standard. */
function authenticateWith(oidc: typeof openid, clientSecret: string): openid.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = server;
    const chosen = supported.includes('client_secret_basic') ? basic : post;
    chosen(server, ...rest);
  };
}
