/** Brackets of retention as people write them: `0, 1-3, 4-7`. Pure. */

const MAX_BRACKETS = 20;
const MAX_LATER = 99;

/** @param ends how many periods later each bracket ends */
export function bracketsText(ends: readonly number[]): string {
  return ends
    .map((end, at) => {
      const from = at === 0 ? 0 : (ends[at - 1] as number) + 1;
      return from === end ? String(end) : `${from}-${end}`;
    })
    .join(', ');
}

/** Ends of the brackets; null for what are none: they begin with 0 and leave nothing out. */
export function readBrackets(text: string): number[] | null {
  const ends: number[] = [];
  for (const part of text.split(/[,;]/)) {
    const [, from, to = from] = /^\s*(\d{1,3})\s*(?:[-–]\s*(\d{1,3})\s*)?$/.exec(part) ?? [];
    const next = (ends.at(-1) ?? -1) + 1;
    if (from === undefined || Number(from) !== next || Number(to) < next || Number(to) > MAX_LATER) return null;
    ends.push(Number(to));
  }
  return ends.length > MAX_BRACKETS ? null : ends;
}
