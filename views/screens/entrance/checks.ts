/** Validates typed values before they are sent. The server enforces the same rules (src/accounts/contract.ts). */
import { MAX_PASSWORD, MIN_PASSWORD } from '#src/accounts/values.ts';
import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import type { Failure } from '#views/trpc.ts';
import type { signInWords } from '#views/words/sign-in.ts';

export type SignInWords = (typeof signInWords)['en'];
type Errors = SignInWords['errors'];

/** Error of a value, in the shape that `check` of `useForm` returns. */
export function fieldErrors<Field extends string>(
  found: Record<Field, string | false>,
): Partial<Record<Field, string>> {
  const entries = Object.entries(found) as [Field, string | false][];
  return Object.fromEntries(entries.filter(([, wrong]) => wrong !== false)) as Partial<Record<Field, string>>;
}

export function emailError(email: string, errors: Errors): string | false {
  return !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email.trim()) && errors.email;
}

export function passwordError(password: string, errors: Errors): string | false {
  if (password.length < MIN_PASSWORD) return errors.short;
  return password.length > MAX_PASSWORD && errors.long;
}

export function nameError(name: string, errors: Errors): string | false {
  const length = name.trim().length;
  return (length === 0 || length > MAX_SHOWN_NAME_LENGTH) && errors.name;
}

/** The words for what the server found wrong with a new password or an address; null for anything else. */
export function fieldWords({ code, field }: Failure, errors: Errors): Record<string, string> | null {
  if (code !== 'invalid' || field === undefined) return null;
  const words: Record<string, string> = {
    email: errors.email,
    password: errors.common,
    name: errors.name,
    team: errors.name,
    project: errors.name,
    timeZone: errors.timeZone,
    setupToken: errors.token,
  };
  const found = words[field];
  return found === undefined ? null : { [field]: found };
}
