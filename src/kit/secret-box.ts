/** Encryption of secrets that must be readable, as of second steps: AES-256-GCM, bound to the owner. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = '1.';

/** @param key 32 bytes @param whose the owner, as additional authenticated data */
export function seal(key: Buffer, whose: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(whose));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Null when none of the keys fits: the secret that it was written with is gone. */
export function unseal(keys: readonly Buffer[], whose: string, text: string): string | null {
  if (!text.startsWith(VERSION)) return null;
  const bytes = Buffer.from(text.slice(VERSION.length), 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  for (const key of keys) {
    try {
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, options).setAAD(Buffer.from(whose)).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    } catch {
      // Not this key: the next one may fit.
    }
  }
  return null;
}
