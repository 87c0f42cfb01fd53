/** One line above the content while the server cannot be reached; nothing otherwise. */
import { Button } from '#views/kit/Button.tsx';
import { useConnection } from '#views/kit/connection.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { useWords } from '#views/words/words.tsx';
import css from './ConnectionNotice.module.css';

export function ConnectionNotice() {
  const { state, seconds, tryNow } = useConnection();
  const { words, format } = useWords();
  const { offline } = words;
  if (state === 'online') return null;
  return (
    <div className={css['notice']}>
      <Icon name="offline" />
      <p role="status" className={css['text']}>
        <b className="strong">{state === 'offline' ? offline.title : offline.unreachableTitle}</b>{' '}
        {state === 'offline' ? offline.text : offline.unreachableText}
      </p>
      <span className="dim num">{seconds > 0 ? offline.again(format.number(seconds)) : offline.trying}</span>
      <Button small icon="refresh" onClick={tryNow}>
        {offline.tryNow}
      </Button>
    </div>
  );
}
