/** Joins class names, skipping false, null, undefined and empty ones. Undefined when none remain. */
export function classNames(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
