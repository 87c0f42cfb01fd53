/** WebAuthn in the browser. The library is loaded on demand. Browser only. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { failureOf } from './trpc.ts';

export type PasskeyQuestion = PublicKeyCredentialRequestOptionsJSON;

/** Asks for one of the person's passkeys. */
export async function promptPasskey(optionsJSON: PasskeyQuestion): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('#views/areas/passkeys.ts');
  return startAuthentication({ optionsJSON });
}

/** Makes a new one on a device of the person's choice. */
export async function makePasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('#views/areas/passkeys.ts');
  return startRegistration({ optionsJSON });
}

/**
 * Offers passkeys among what the browser fills in, where it can. Resolves when one was chosen; null where it cannot, or when another
 * question takes its place.
 */
export async function offerPasskeys(ask: () => Promise<PasskeyQuestion>): Promise<AuthenticationResponseJSON | null> {
  if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return null;
  const { startAuthentication } = await import('#views/areas/passkeys.ts');
  try {
    return await startAuthentication({ optionsJSON: await ask(), useBrowserAutofill: true });
  } catch {
    return null;
  }
}

/** Why there is no passkey; null for what has nothing to do with passkeys. */
export function passkeyProblem(error: unknown): 'cancelled' | 'known' | 'unsupported' | 'refused' | null {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError') return 'known';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  if (name === 'SecurityError' || name === 'NotSupportedError' || name === 'ConstraintError') return 'unsupported';
  if (error instanceof Error && /WebAuthn is not supported/.test(error.message)) return 'unsupported';
  return failureOf(error).field === 'passkey' ? 'refused' : null;
}
