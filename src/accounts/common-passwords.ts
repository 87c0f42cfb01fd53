/** Passwords that are tried first. */
import { dictionary } from '@zxcvbn-ts/language-common';
import { LEAST_PASSWORD } from './contract.ts';

let common: ReadonlySet<string> | undefined;

/** True for a password of the long list of those that many people have. Shorter ones than we accept are not in it. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(dictionary['passwords-common'].filter((each) => each.length >= LEAST_PASSWORD));
  return common.has(password.trim().toLowerCase());
}
