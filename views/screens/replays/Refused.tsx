/** What viewers see who may not watch. */
import { State } from '#views/kit/State.tsx';
import { replayWords } from '#views/words/replays.ts';
import { usePart } from '#views/words/words.tsx';

export function Refused() {
  const own = usePart(replayWords);
  return (
    <State icon="lock" title={own.refused}>
      {own.refusedText}
    </State>
  );
}
