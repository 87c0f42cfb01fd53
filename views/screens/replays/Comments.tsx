/** What people wrote about moments of a recording. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import type { ReplayComment } from '#src/replays/watching/contract.ts';
import { MAX_COMMENT_LENGTH } from '#src/replays/watching/values.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { replayWords } from '#views/words/replays.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Inspector.module.css';
import type { Playback } from './playback.ts';
import { clockText } from './timeline.ts';
import { usePlayer } from './use-playback.ts';

export interface CommentsProps {
  project: string;
  session: string;
  playback: Playback;
  comments: readonly ReplayComment[];
}

export function Comments({ project, session, playback, comments }: CommentsProps) {
  const own = usePart(replayWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const { role, timeZone } = useRoleIn(project);
  const from = usePlayer(playback, (state) => state.from);
  const remove = useMutation(trpc.replays.removeComment.mutationOptions());
  const refresh = () => client.invalidateQueries({ queryKey: trpc.replays.comments.queryKey({ project, session }) });
  const mayWrite = isAtLeast(role, 'member');
  return (
    <>
      {mayWrite && <CommentForm project={project} session={session} playback={playback} onSaved={refresh} />}
      {comments.length === 0 ? (
        <p className={css['none']}>{own.noComments}</p>
      ) : (
        <ol className={css['notes']}>
          {comments.map(({ id, at, text, by, createdAt, isOwn }) => (
            <li key={id} className={css['note']}>
              <button type="button" onClick={() => playback.seek(from + at)}>
                <time className="num">{clockText(at)}</time>
                <span className={css['point']} aria-hidden="true" />
                <span className={css['text']}>
                  <span className={css['words']}>{text}</span>
                  <span className={css['detail']}>
                    {by?.name ?? own.someone}, {format.dayTime(createdAt, timeZone)}
                  </span>
                </span>
              </button>
              {(isOwn || isAtLeast(role, 'admin')) && (
                <Button
                  kind="quiet"
                  small
                  icon="x"
                  iconOnly
                  onClick={() =>
                    void remove.mutateAsync({ project, session, comment: id }).then(refresh, () => {
                      showToast(own.commentFailed);
                    })
                  }
                >
                  {own.removeComment}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

interface FormProps {
  project: string;
  session: string;
  playback: Playback;
  onSaved(): void;
}

function CommentForm({ project, session, playback, onSaved }: FormProps) {
  const own = usePart(replayWords);
  const trpc = useTrpc();
  const [text, setText] = useState('');
  /** The moment that writing began at, ms after the beginning; null: now. */
  const [begun, setBegun] = useState<number | null>(null);
  const seconds = usePlayer(playback, (state) => Math.floor((state.at - state.from) / 1000));
  const save = useMutation(trpc.replays.comment.mutationOptions());
  const at = begun ?? seconds * 1000;
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await save.mutateAsync({ project, session, at, text });
      setText('');
      setBegun(null);
      onSaved();
    } catch {
      showToast(own.commentFailed);
    }
  };
  return (
    <form className={css['form']} onSubmit={(event) => void onSubmit(event)}>
      <textarea
        className="input"
        rows={2}
        aria-label={own.commentAt(clockText(at))}
        placeholder={own.commentAt(clockText(at))}
        value={text}
        maxLength={MAX_COMMENT_LENGTH}
        onFocus={() => {
          playback.pause();
          if (text === '') setBegun(seconds * 1000);
        }}
        onBlur={() => text === '' && setBegun(null)}
        onChange={({ target }) => setText(target.value)}
      />
      <Button small type="submit" disabled={text.trim() === '' || save.isPending}>
        {own.addComment}
      </Button>
    </form>
  );
}
