/** How long what people choose may be, and how long a sign-in lasts. Without schemas, so that screens may import it as it is. */

export const LEAST_PASSWORD = 8;
export const MOST_PASSWORD = 128;

/** A sign-in ends when it is not used for so long … */
export const SIGN_IN_IDLE_MS = 7 * 86_400_000;
/** … and after so long in all. */
export const SIGN_IN_WHOLE_MS = 30 * 86_400_000;
