/** A stand-in for a provider of OpenID Connect on this machine: discovery, keys, a page on which people agree, and the token endpoint with all its checks. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ProviderOptions {
  clientId: string;
  clientSecret: string;
  /** Who can agree on its page, by the name that their button has: what it says of them. */
  people?: Record<string, Record<string, unknown>>;
}

/** What to put into the token instead of the truth. */
export interface Lies {
  claims?: Record<string, unknown>;
  /** `none`: unsigned; `other`: by a key that the provider does not publish. */
  signed?: 'none' | 'other';
}

export interface TestProvider {
  issuer: string;
  /** Somebody agrees there: gives the address that their browser is sent back to. */
  agree(address: string, who: Record<string, unknown>, lies?: Lies): URL;
  /** How often somebody asked for tokens. */
  readonly asked: number;
  /** Answers nothing any more. */
  close(): Promise<void>;
}

interface Code {
  query: URLSearchParams;
  who: Record<string, unknown>;
  lies: Lies;
}

export async function startProvider({ clientId, clientSecret, people = {} }: ProviderOptions): Promise<TestProvider> {
  keys ??= [keyPair(), keyPair()];
  const [own, other] = keys;
  const codes = new Map<string, Code>();
  let asked = 0;

  const server = createServer(async (req, res) => {
    const json = (status: number, body: object) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (req.url === '/.well-known/openid-configuration') return json(200, discovery());
    if (req.url === '/keys') {
      const key = own.publicKey.export({ format: 'jwk' });
      return json(200, { keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] });
    }
    const asks = new URL(req.url ?? '/', issuer);
    if (asks.pathname === '/authorize') return authorize(asks, res);
    if (asks.pathname !== '/token') return json(404, {});
    asked += 1;
    const form = new URLSearchParams(await text(req));
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const [user, secret] = Buffer.from(req.headers.authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString()
      .split(':')
      // As RFC 6749 wants it, which not everybody does.
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (user !== clientId || secret !== clientSecret) return json(401, { error: 'invalid_client' });
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      code?.query.get('code_challenge') === challenge && code.query.get('redirect_uri') === form.get('redirect_uri');
    if (code === undefined || !isRight) return json(400, { error: 'invalid_grant' });
    json(200, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: token(code) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const discovery = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  });

  function token({ query, who, lies }: Code): string {
    const now = Math.floor((performance.timeOrigin + performance.now()) / 1_000);
    const truth = { iss: issuer, aud: clientId, iat: now, exp: now + 300, nonce: query.get('nonce'), ...who };
    const header = { alg: lies.signed === 'none' ? 'none' : 'RS256', typ: 'JWT', kid: 'one' };
    const text = [header, { ...truth, ...lies.claims }].map((part) => base64(JSON.stringify(part))).join('.');
    if (lies.signed === 'none') return `${text}.`;
    const key = lies.signed === 'other' ? other.privateKey : own.privateKey;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`;
  }

  /** A page with a button for each of the people, and one to refuse; then back, as it was pressed. */
  function authorize(asks: URL, res: ServerResponse): void {
    const { searchParams: query } = asks;
    const answer = query.get('answer');
    if (query.get('client_id') !== clientId) return void res.writeHead(400).end('unknown client');
    if (answer === null) {
      const kept = [...query].map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`);
      const names = [...Object.keys(people), 'Refuse'];
      const buttons = names.map((name) => `<button name="answer" value="${escaped(name)}">${escaped(name)}</button>`);
      res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      return void res.end(`<!doctype html><title>Provider</title><form>${[...kept, ...buttons].join('')}</form>`);
    }
    const who = people[answer];
    const back = who === undefined ? backTo(query, 'error', 'access_denied') : agree(query, who);
    res.writeHead(302, { location: back.href }).end();
  }

  function agree(query: URLSearchParams, who: Record<string, unknown>, lies: Lies = {}): URL {
    const code = randomBytes(16).toString('hex');
    codes.set(code, { query, who, lies });
    return backTo(query, 'code', code);
  }

  return {
    issuer,
    agree: (address, who, lies) => agree(new URL(address).searchParams, who, lies),
    get asked() {
      return asked;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function backTo(query: URLSearchParams, name: 'code' | 'error', value: string): URL {
  const back = new URL(query.get('redirect_uri') ?? '');
  back.searchParams.set(name, value);
  back.searchParams.set('state', query.get('state') ?? '');
  return back;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Those of all providers of a test file: a pair takes a while to find. */
let keys: [KeyPair, KeyPair] | null = null;

type KeyPair = ReturnType<typeof keyPair>;

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
