/** Passwords that are tried first. The list is loaded with the first password that is chosen: few processes ever need it. */
import { MIN_PASSWORD } from './contract.ts';

let common: Promise<ReadonlySet<string>> | undefined;

/** True for a password of the long list of those that many people have. Shorter ones than we accept are not in it. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load();
  return (await common).has(password.trim().toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((each) => each.length >= MIN_PASSWORD));
}
