/**
 * Encryption of what waits in the table: a mail may hold a link that signs someone in, so a copy of the database alone must not be
 * enough. AES-256-GCM; the mail's id is bound to it, so that one text cannot stand in another's row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { WrittenMail } from './render.tsx';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes */
export function seal(key: Buffer, id: string, mail: WrittenMail): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(mail), 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), sealed]);
}

/** Null when none of the keys fits: the secret that it was written with is gone. */
export function unseal(keys: readonly Buffer[], id: string, body: Buffer): WrittenMail | null {
  if (body[0] !== VERSION) return null;
  const nonce = body.subarray(1, 1 + NONCE_BYTES);
  const tag = body.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const sealed = body.subarray(1 + NONCE_BYTES + TAG_BYTES);
  for (const key of keys) {
    try {
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, options).setAAD(Buffer.from(id)).setAuthTag(tag);
      return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8'));
    } catch {
      // Not this key: the next one may fit.
    }
  }
  return null;
}
