/** A sentence around a piece of code. */
import type { Prose } from '#views/words/sentences.ts';

export function WithCode({ prose: [before, code, after] }: { prose: Prose }) {
  return (
    <>
      {before}
      <code className="mono">{code}</code>
      {after}
    </>
  );
}
