/** Rollout hash of an id, 0 to 1, equal to that of clients. Pure. */
import { hash } from 'node:crypto';
import type { FlagVariant } from '../contract.ts';

/** 15 hexadecimal digits as a double: 32 bits of the first four bytes, 28 of the next. */
const SCALE = 2 ** 60;
const LOW = 2 ** 28;

/** The share of an id under a name, with a salt; clients compute the same. */
export function shareOf(name: string, id: string, salt = '', separator = '.'): number {
  // A byte is a character: cheaper than digits, which would have to be parsed.
  const bytes = hash('sha1', `${name}${separator}${id}${salt}`, 'binary');
  const high =
    bytes.charCodeAt(0) * 2 ** 24 + (bytes.charCodeAt(1) << 16) + (bytes.charCodeAt(2) << 8) + bytes.charCodeAt(3);
  const low =
    (bytes.charCodeAt(4) << 20) + (bytes.charCodeAt(5) << 12) + (bytes.charCodeAt(6) << 4) + (bytes.charCodeAt(7) >> 4);
  return (high * LOW + low) / SCALE;
}

/** True when an id is within a flag's rollout percentage. */
export function isInRollout(key: string, id: string, percentage: number | null): boolean {
  if (percentage === null || percentage === 100) return true;
  return shareOf(key, id) <= percentage / 100;
}

/** The variant of an id; null where the shares leave a gap. */
export function variantOf(key: string, id: string, variants: readonly FlagVariant[]): string | null {
  if (variants.length === 0) return null;
  const share = shareOf(key, id, 'variant');
  let from = 0;
  for (const variant of variants) {
    const to = from + variant.rollout_percentage / 100;
    if (share >= from && share < to) return variant.key;
    from = to;
  }
  return null;
}

/** True when an id is in a shared holdout. */
export function isHeldOut(id: string, percentage: number): boolean {
  return percentage === 100 || shareOf('holdout', id, '', '-') <= percentage / 100;
}
