/** What another service has told us, checked. */
export interface Identity {
  /** Who says so. */
  issuer: string;
  /** Whom they mean. */
  subject: string;
  email: string | null;
  emailVerified: boolean;
}
