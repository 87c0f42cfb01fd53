/** One line above the content while accepted events wait to be stored: numbers do not include them yet. */
import { Icon } from '#views/kit/Icon.tsx';
import { useWords } from '#views/words/words.tsx';
import css from './ConnectionNotice.module.css';
import { useNow } from './queries.ts';

export function WaitingNotice() {
  const { words, format } = useWords();
  const waiting = useNow()?.waiting ?? 0;
  if (waiting === 0) return null;
  return (
    <div className={css['notice']}>
      <Icon name="error" />
      <p role="status" className={css['text']}>
        <b className="strong num">{words.waiting.title(waiting, format.number(waiting))}</b> {words.waiting.text}
      </p>
    </div>
  );
}
