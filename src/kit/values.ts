/** Lengths that contracts and forms share: no schemas, so no zod comes along. */

/** Characters of a name of a person, team, project or key. */
export const MAX_SHOWN_NAME_LENGTH = 100;
/** Characters of a name of an event or a property. */
export const MAX_STORED_NAME_LENGTH = 400;
