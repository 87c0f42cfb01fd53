/** Semantic versions as flags compare them: three numbers, what follows `-` or `+` is ignored. Pure. */

type Version = readonly [number, number, number];

/** Many flags compare the same property of a person, one after another. */
let last: { text: string; version: Version | null } = { text: '', version: null };

/** Null for what is no version. */
export function parseVersion(text: string): Version | null {
  if (last.text !== text) last = { text, version: readVersion(text) };
  return last.version;
}

function readVersion(text: string): Version | null {
  const [base = ''] = text.trim().replace(/^[vV]/, '').split(/[-+]/, 1);
  if (base === '' || base.startsWith('.')) return null;
  const [major, minor, patch] = base.split('.');
  const numbers = [numberOf(major), numberOf(minor), numberOf(patch)];
  return numbers.includes(null) ? null : (numbers as unknown as Version);
}

export function compareVersions(one: Version, other: Version): number {
  for (let at = 0; at < 3; at++) {
    const difference = (one[at] as number) - (other[at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first version within and the first beyond; null for what is none. */
export function versionRange(operator: 'tilde' | 'caret' | 'wildcard', text: string): [Version, Version] | null {
  if (operator === 'wildcard') return wildcardRange(text);
  const lower = parseVersion(text);
  if (lower === null) return null;
  const [major, minor, patch] = lower;
  if (operator === 'tilde') return [lower, [major, minor + 1, 0]];
  if (major > 0) return [lower, [major + 1, 0, 0]];
  return [lower, minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1]];
}

function wildcardRange(text: string): [Version, Version] | null {
  const cleaned = text.trim().replace(/^[vV]/, '').replace(/\.\*$/, '').replace(/\*$/, '');
  const parts = cleaned.split('.');
  const major = strictNumber(parts[0] ?? '');
  if (major === null) return null;
  if (parts.length === 1)
    return [
      [major, 0, 0],
      [major + 1, 0, 0],
    ];
  const minor = strictNumber(parts[1] ?? '');
  return minor === null
    ? null
    : [
        [major, minor, 0],
        [major, minor + 1, 0],
      ];
}

function numberOf(part: string | undefined): number | null {
  return part === undefined || part === '' ? 0 : strictNumber(part);
}

/** Digits without leading zeros. */
function strictNumber(part: string): number | null {
  return /^(?:0|[1-9]\d*)$/.test(part) ? Number.parseInt(part, 10) : null;
}
