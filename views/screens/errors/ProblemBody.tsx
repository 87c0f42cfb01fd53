/**
 * The page of an error, for when there is no screen: nothing at the address, or it could not be put together. Drawn
 * without the shell and without any query, since those may be what failed.
 */
import type { ErrorCode } from '#src/kit/errors.ts';
import type { Role } from '#src/projects/contract.ts';
import { PlainButtonLink } from '#views/kit/Button.tsx';
import { Mark } from '#views/kit/Icon.tsx';
import type { Words } from '#views/words/en.ts';
import { problemWords } from '#views/words/problem.ts';
import { Arc } from './Arc.tsx';
import css from './ProblemBody.module.css';

export interface ProblemBodyProps {
  code: ErrorCode;
  status: number;
  requestId: string;
  words: Words;
  /** Of a member whose role does not suffice, and whom they can ask. */
  refusal?: { role: Role; ask: readonly string[] } | undefined;
}

export function ProblemBody({ code, status, requestId, words, refusal }: ProblemBodyProps) {
  const text = problemWords[words.language];
  const { title, sentence, kind } = problemOf({ code, words, refusal });
  return (
    <div className={css['body']}>
      <header className={css['brand']}>
        <Mark />
        Luneta
      </header>
      <main className={css['middle']}>
        <Arc kind={kind} />
        <h1 className={css['title']}>{title}</h1>
        <p className={css['text']}>{sentence}</p>
        <div className={css['actions']}>
          {kind === 'missing' ? (
            <PlainButtonLink kind="primary" href="/">
              {text.toHome}
            </PlainButtonLink>
          ) : (
            <>
              {/* An empty address is the page itself, with its question. */}
              <PlainButtonLink kind="primary" icon="refresh" href="">
                {words.errors.retry}
              </PlainButtonLink>
              <PlainButtonLink href="/">{text.toHome}</PlainButtonLink>
            </>
          )}
        </div>
      </main>
      <footer className={css['foot']}>
        {status} · {text.code} <span className="mono">{requestId}</span>
      </footer>
    </div>
  );
}

/** Texts of an error: on the page and in its title. */
export function problemOf({ code, words, refusal }: Pick<ProblemBodyProps, 'code' | 'words' | 'refusal'>) {
  return refusal ? refused(refusal, words) : about(code, words);
}

/** In the words of "What each role can do". */
function refused({ role, ask }: NonNullable<ProblemBodyProps['refusal']>, { language }: Words) {
  const text = problemWords[language];
  const sentence = [text.limits[role], ask.length === 0 ? '' : text.ask(ask)].filter(Boolean).join(' ');
  return { title: text.refusedTitle, sentence, kind: 'missing' } as const;
}

function about(code: ErrorCode, words: Words): { title: string; sentence: string; kind: 'missing' | 'broken' } {
  const { errors } = words;
  const text = problemWords[words.language];
  if (code === 'not_found') return { title: errors.notFoundTitle, sentence: errors.notFoundText, kind: 'missing' };
  if (code === 'unavailable') return { title: text.unavailableTitle, sentence: text.unavailableText, kind: 'broken' };
  if (code === 'busy') return { title: text.busyTitle, sentence: text.busyText, kind: 'broken' };
  if (code === 'internal') return { title: text.failedTitle, sentence: text.failedText, kind: 'broken' };
  return { title: errors.title, sentence: errors.codes[code], kind: 'broken' };
}
