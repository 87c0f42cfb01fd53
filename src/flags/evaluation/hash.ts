/** Rollout hash of an id, 0 to 1, equal to that of clients. Pure. */
import { hash } from 'node:crypto';
import type { FlagVariant } from '../contract.ts';

/** 15 hexadecimal digits as a double. */
const SCALE = 2 ** 60;

/** The share of an id under a name, with a salt; clients compute the same. */
export function shareOf(name: string, id: string, salt = '', separator = '.'): number {
  return Number.parseInt(hash('sha1', `${name}${separator}${id}${salt}`, 'hex').slice(0, 15), 16) / SCALE;
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
