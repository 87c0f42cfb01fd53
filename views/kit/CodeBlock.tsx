/** Code to copy: a bar with what it is, the lines, horizontal scroll inside. */
import type { ReactNode } from 'react';
import { useWords } from '#views/words/words.tsx';
import { Button } from './Button.tsx';
import css from './CodeBlock.module.css';
import { useCopy } from './copy.ts';

export interface CodeBlockProps {
  title: ReactNode;
  code: string;
  /** Absent: of a page or a program. */
  language?: 'sql';
}

export function CodeBlock({ title, code, language }: CodeBlockProps) {
  const { words } = useWords();
  return (
    <div className={css['block']}>
      <div className={css['bar']}>
        <span className={css['title']}>{title}</span>
        <CopyButton text={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it */}
      <section className={css['scroll']} tabIndex={0} aria-label={typeof title === 'string' ? title : words.copy.code}>
        <pre className="mono">
          {pieces(code, language === 'sql' ? SQL_TOKENS : TOKENS).map(({ kind, text, at }) =>
            kind === null ? (
              text
            ) : (
              <span key={at} className={css[kind]}>
                {text}
              </span>
            ),
          )}
        </pre>
      </section>
    </div>
  );
}

/** Copies `text`, and confirms it for two seconds. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { words } = useWords();
  const [state, copy] = useCopy();
  return (
    <>
      <Button
        kind="quiet"
        small
        icon={state === 'copied' ? 'check' : 'copy'}
        className="script-only"
        onClick={() => copy(text)}
      >
        {state === 'copied' ? words.copy.copied : (label ?? words.copy.copy)}
      </Button>
      <span role="status" className={state === 'failed' ? undefined : 'visually-hidden'}>
        {state === 'ready' ? '' : state === 'copied' ? words.copy.copied : words.copy.failed}
      </span>
    </>
  );
}

/** Strings, and what is the language's own. */
const TOKENS = /('[^']*'|"[^"]*")|<\/?[A-Za-z]+|\/?>|\b(?:import|from|const|new|await|export|function|return)\b/g;
const SQL_TOKENS =
  /('[^']*')|\b(?:with|select|distinct|from|(?:left |cross )?join|lateral|on|where|and|or|not|in|is|as|group by|order by|limit|union all|filter|case|when|then|else|end)\b/g;

interface Piece {
  kind: 'string' | 'keyword' | null;
  text: string;
  at: number;
}

/** Splits our own snippets and statements into coloured pieces. */
function pieces(code: string, tokens: RegExp): Piece[] {
  const result: Piece[] = [];
  let done = 0;
  for (const match of code.matchAll(tokens)) {
    if (match.index > done) result.push({ kind: null, text: code.slice(done, match.index), at: done });
    result.push({ kind: match[1] ? 'string' : 'keyword', text: match[0], at: match.index });
    done = match.index + match[0].length;
  }
  result.push({ kind: null, text: code.slice(done), at: done });
  return result;
}
