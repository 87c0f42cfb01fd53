/** One's own account: profile, second step, passkeys, sign-ins. Read by the browser, so zod/mini only. */
import * as z from 'zod/mini';
import { shownName } from '#src/kit/line.ts';
import { type TableFormat, tableFormats } from '#src/kit/values.ts';
import { emailAddress, newPassword } from '../contract.ts';

/** How someone proved who they are. Shown in the list of their sessions. */
export type SignInMethod = 'setup' | 'password' | 'link' | 'passkey' | 'oidc' | 'hosted' | 'invitation';

/** One place where someone is signed in. Times are ms since 1970. */
export interface SignIn {
  id: string;
  /** The one that asks. */
  isThis: boolean;
  how: SignInMethod;
  /** Empty where the browser did not say. */
  device: { browser: string; os: string; device: string };
  address: string;
  startedAt: number;
  seenAt: number;
}

export interface Passkey {
  /** Credential id; public. */
  id: string;
  name: string;
  createdAt: number;
  usedAt: number | null;
}

/** Data of the account screen. */
export interface OwnAccount {
  name: string;
  email: string;
  emailVerified: boolean;
  language: string;
  timeZone: string;
  /** How tables are downloaded; null: as the language has it. */
  tableFormat: TableFormat | null;
  /** Signs in with a password, among others. */
  hasPassword: boolean;
  /** Codes of an app are asked for at sign-in. */
  hasCodes: boolean;
  recoveryCodesLeft: number;
  passkeys: Passkey[];
  signIns: SignIn[];
  /** Server time of the answer. */
  at: number;
}

/** A secret that waits to be confirmed by its first code. Shown once. */
export interface CodeSetUp {
  /** Base32, as typed into an authenticator app. */
  secret: string;
  /** `otpauth://…`, the content of the QR code. */
  uri: string;
  /** The QR code as the data of one SVG path, in units of one module. */
  path: string;
  /** Width and height in modules, quiet zone included. */
  size: number;
}

const password = z.string().check(z.maxLength(1_000));
const code = z.string().check(z.maxLength(64));
/** A random name of up to 1,023 bytes that the authenticator chose. */
const credentialId = z.string().check(z.regex(/^[\w-]{1,1400}$/));

export const profileInput = z.object({
  name: shownName,
  language: z.enum(['en', 'pt-BR']),
  timeZone: z.string().check(z.maxLength(100)),
  /** Absent: it stays. */
  tableFormat: z.optional(z.nullable(z.enum(tableFormats))),
});
export type ProfileInput = z.infer<typeof profileInput>;
export const passwordInput = z.object({ current: z.optional(password), password: newPassword });
export const emailInput = z.object({ email: emailAddress });
export const linkInput = z.object({ token: z.string().check(z.maxLength(200)) });
export const codeInput = z.object({ code });
export const sessionInput = z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });
export const sessionsInput = z.object({ keepThis: z.boolean() });
export const passkeyRef = z.object({ id: credentialId });
export const passkeyName = z.object({ id: credentialId, name: shownName });

/** A browser's WebAuthn response. Only its shape is checked here; the library parses the rest. */
const answerOutline = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.unknown(),
  authenticatorAttachment: z.optional(z.string()),
};
const bytes = z.string().check(z.regex(/^[\w-]{0,16000}$/));
export const registrationInput = z.object({
  name: shownName,
  answer: z.object({
    ...answerOutline,
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
    }),
  }),
});
export const assertionInput = z.object({
  answer: z.object({
    ...answerOutline,
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: z.optional(z.nullable(bytes)),
    }),
  }),
});
export type RegistrationAnswer = z.infer<typeof registrationInput>['answer'];
export type AssertionAnswer = z.infer<typeof assertionInput>['answer'];

/** One of the two. */
export const proofInput = z.object({ password: z.optional(password), answer: z.optional(assertionInput.shape.answer) });
