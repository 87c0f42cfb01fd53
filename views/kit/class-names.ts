/** Joins class names; what is false, null, undefined or empty is left out. Undefined when nothing is left. */
export function classNames(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
