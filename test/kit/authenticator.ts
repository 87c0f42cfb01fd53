/** A passkey device in software: ES256, no attestation, and any flags. Answers as @simplewebauthn/browser hands them on. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { AssertionAnswer, RegistrationAnswer } from '#src/accounts/own/contract.ts';

export interface AuthenticatorOptions {
  origin: string;
  rpId?: string;
}

/** What of an answer a test may get wrong. */
export interface Answering {
  origin?: string;
  rpId?: string;
  /** False: present, but not verified. */
  userVerified?: boolean;
  counter?: number;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  readonly #rpId: string;
  #counter = 0;

  constructor({ origin, rpId = new URL(origin).hostname }: AuthenticatorOptions) {
    this.#origin = origin;
    this.#rpId = rpId;
  }

  register(challenge: string, answering: Answering = {}): RegistrationAnswer {
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const authData = Buffer.concat([this.#header(ATTESTED, 0, answering), credential]);
    const attestationObject = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, answering).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  sign(challenge: string, answering: Answering = {}): AssertionAnswer {
    this.#counter = answering.counter ?? this.#counter + 1;
    const authData = this.#header(0, this.#counter, answering);
    const clientData = this.#clientData('webauthn.get', challenge, answering);
    const signer = createSign('sha256').update(authData).update(createHash('sha256').update(clientData).digest());
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signer.sign(this.#keys.privateKey).toString('base64url'),
    });
  }

  #answer<Response>(response: Response) {
    const { id } = this;
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Answering): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #header(flags: number, counter: number, { rpId = this.#rpId, userVerified = true }: Answering): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flag = Buffer.from([flags | PRESENT | (userVerified ? VERIFIED : 0)]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flag, count]);
  }

  /** kty EC2, alg ES256, crv P-256, x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return map([
      [number(1), number(2)],
      [number(3), number(-7)],
      [number(-1), number(1)],
      [number(-2), bytes(Buffer.from(x, 'base64url'))],
      [number(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

/** CBOR, as much of it as this needs. */
function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  return value < 256
    ? Buffer.from([(type << 5) | 24, value])
    : Buffer.from([(type << 5) | 25, value >> 8, value & 255]);
}
const number = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (entries: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, entries.length), ...entries.flat()]);
