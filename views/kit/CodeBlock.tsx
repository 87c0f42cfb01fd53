/** Code to copy: a bar with what it is, the lines, horizontal scroll inside. */
import type { ReactNode } from 'react';
import { useWords } from '#views/words/words.tsx';
import { Button } from './Button.tsx';
import css from './CodeBlock.module.css';
import { codePieces } from './code-pieces.ts';
import { useCopy } from './copy.ts';

export interface CodeBlockProps {
  title: ReactNode;
  code: string;
  /** What has a color; default: of a page or a program. */
  tokens?: RegExp;
}

export function CodeBlock({ title, code, tokens }: CodeBlockProps) {
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
          {codePieces(code, tokens).map(({ kind, text, at }) =>
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
