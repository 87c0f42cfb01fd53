/** A verified identity from an external service. */
export interface Identity {
  /** The service that issued it: its URL. */
  issuer: string;
  /** The user's id at the issuer. */
  subject: string;
  email: string | null;
  emailVerified: boolean;
}
