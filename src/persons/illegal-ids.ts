/**
 * Distinct ids that stand for nobody in particular: a bug in the sender's code, not a person. Merging under one would fuse all
 * visitors into one person, so they are illegal for merging; plain events under them are stored like any other.
 */

const IN_ANY_CASE = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
]);
/** The last is what clients say that store nothing on the device: all of their visitors. */
const AS_WRITTEN = new Set([
  ...['[object Object]', 'NaN', 'None', 'none', 'null', '0', 'undefined'],
  '$posthog_cookieless',
]);

/** True when the id may not be merged: one of the list, also in single or double quotes, or blank. */
export function isIllegalId(distinctId: string): boolean {
  if (distinctId.trim() === '') return true;
  const first = distinctId.charAt(0);
  const isQuoted = (first === '"' || first === "'") && distinctId.length > 1 && distinctId.endsWith(first);
  const bare = isQuoted ? distinctId.slice(1, -1) : distinctId;
  return AS_WRITTEN.has(bare) || IN_ANY_CASE.has(bare.toLowerCase()) || bare.trim() === '';
}
