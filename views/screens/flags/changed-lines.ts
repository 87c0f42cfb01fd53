/** Lines that two texts do not share, in order: by their longest common subsequence. */

export interface ChangedLine {
  id: number;
  sign: '+' | '-';
  text: string;
}

export function changedLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const common = commonLengths(before, after);
  const lines: ChangedLine[] = [];
  let from = 0;
  let to = 0;
  while (from < before.length || to < after.length) {
    const gone = before[from];
    const added = after[to];
    if (gone !== undefined && gone === added) {
      from++;
      to++;
    } else if (
      added === undefined ||
      (gone !== undefined && lengthAt(common, from + 1, to) >= lengthAt(common, from, to + 1))
    ) {
      lines.push({ id: lines.length, sign: '-', text: gone ?? '' });
      from++;
    } else {
      lines.push({ id: lines.length, sign: '+', text: added });
      to++;
    }
  }
  return lines;
}

/** By the places where each begins, how many lines the rests have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let from = before.length - 1; from >= 0; from--) {
    for (let to = after.length - 1; to >= 0; to--) {
      const row = lengths[from] as Uint16Array;
      row[to] =
        before[from] === after[to]
          ? lengthAt(lengths, from + 1, to + 1) + 1
          : Math.max(lengthAt(lengths, from + 1, to), lengthAt(lengths, from, to + 1));
    }
  }
  return lengths;
}

function lengthAt(lengths: readonly Uint16Array[], from: number, to: number): number {
  return lengths[from]?.[to] ?? 0;
}
