/** Text of `NeedsScript`. */
import { needsScriptWords } from '#views/words/needs-script.ts';
import { usePart } from '#views/words/words.tsx';
import { Callout } from './Callout.tsx';
import css from './ScriptNotice.module.css';

export function ScriptNotice() {
  const text = usePart(needsScriptWords);
  return (
    <noscript>
      <div className={css['notice']}>
        <Callout tone="warn">{text.changing}</Callout>
      </div>
    </noscript>
  );
}
