/** Available sign-in methods, and first set-up of a new installation. */
import { timingSafeEqual } from 'node:crypto';
import { invalid } from '#src/kit/errors.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Audit } from './audit.ts';
import type { SignInOptions } from './contract.ts';
import type { Hosted } from './hosted.ts';
import type { Oidc } from './oidc.ts';
import { personByEmail } from './recovery-queries.ts';

export interface SignIn {
  /** Sign-in methods available to this network address. */
  ways(address: string): SignInOptions;
  /** @throws AppError `invalid` with field `setupToken` when someone from elsewhere does not have it */
  checkSetupToken(token: string | undefined, address: string): Promise<void>;
  /** Someone was not let in: in the log, under the person's name when there is one. */
  noteFailure(email: string, how: string, address: string): Promise<void>;
  /** URL of the first set-up, with the token when one is required. */
  setupAddress(): Promise<string>;
}

export interface SignInParts {
  audit: Audit;
  oidc: Pick<Oidc, 'providers'>;
  hosted: Pick<Hosted, 'host'>;
  mail: Pick<Mail, 'status'>;
  secrets: Pick<Secrets, 'keys'>;
}

const LOOPBACK = /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/i;

export function createSignIn(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  { audit, mail, secrets, oidc, hosted }: SignInParts,
): SignIn {
  // A proxy on this machine connects from loopback too: then the address that people use is another.
  const isReachable = !LOOPBACK.test(config.HOST) || !LOOPBACK.test(new URL(config.PUBLIC_APP_URL).hostname);
  const needsToken = (address: string) => isReachable || !LOOPBACK.test(address);

  /** The same in every process and after every start, so that the one in the log is always right. */
  async function setupToken(): Promise<Buffer> {
    const [key] = await secrets.keys('set-up');
    return Buffer.from((key as Buffer).subarray(0, 24).toString('base64url'));
  }

  return {
    ways: (address) => ({
      needsSetupToken: needsToken(address),
      link: mail.status().isSetUp,
      providers: oidc.providers().map(({ id, name }) => ({ id, name })),
      hosted: hosted.host,
    }),
    async checkSetupToken(token = '', address) {
      if (!needsToken(address)) return;
      const [given, right] = [Buffer.from(token.trim()), await setupToken()];
      if (given.length === right.length && timingSafeEqual(given, right)) return;
      throw invalid('setupToken', 'Invalid setup token. You’ll find it in the server log.');
    },
    async noteFailure(email, how, address) {
      const actor = (await personByEmail(db, email)) ?? { name: email };
      await audit.note(db, { actor, action: 'signIn.failed', details: { how }, address });
    },
    async setupAddress() {
      const address = new URL('/setup', config.PUBLIC_APP_URL);
      if (isReachable) address.searchParams.set('token', (await setupToken()).toString());
      return address.href;
    },
  };
}
