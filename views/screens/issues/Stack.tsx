/** The stack of an occurrence: the call that threw first, the application's own calls unless all are asked for; causes below. */
import type { Exception, Frame } from '#src/errors/contract.ts';
import { CopyButton } from '#views/kit/CodeBlock.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { issueWords } from '#views/words/issues.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Issue.module.css';
import list from './Issues.module.css';

/** Lines of source code are shorter. */
const MAX_SOURCE_COLUMN = 300;

interface StackProps {
  exceptions: readonly Exception[];
  isAll: boolean;
  search: URLSearchParams;
}

export function Stack({ exceptions, isAll, search }: StackProps) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const frames = exceptions.flatMap((exception) => exception.frames);
  const isBuilt = frames.some(
    ({ inApp, built, column }) => inApp && built === null && (column ?? 0) > MAX_SOURCE_COLUMN,
  );
  const href = (all: boolean) => {
    const params = new URLSearchParams(search);
    params.delete('frames');
    if (all) params.set('frames', 'all');
    return `?${params}`;
  };
  return (
    <section aria-labelledby="stack">
      <div className={css['sectionHead']}>
        <h2 id="stack">{own.stack}</h2>
        {frames.length > 0 && (
          <>
            <Segmented
              label={own.frames}
              segments={[
                { key: 'own', label: own.yourCode, href: href(false), current: !isAll },
                {
                  key: 'all',
                  label: own.allFrames(frames.length, format.number(frames.length)),
                  href: href(true),
                  current: isAll,
                },
              ]}
            />
            <CopyButton text={textOf(exceptions)} />
          </>
        )}
      </div>
      {isBuilt && <p className={classNames(css['note'], 'dim')}>{own.minified}</p>}
      {exceptions.map((exception, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cause is its place
        <div key={at}>
          {at > 0 && (
            <h3 className={css['cause']}>
              <span className="dim">{own.causedBy}</span> {exception.type}
              {exception.value !== '' && `: ${exception.value}`}
            </h3>
          )}
          <Frames exception={exception} isAll={isAll} isFirst={at === 0} />
        </div>
      ))}
    </section>
  );
}

function Frames({ exception, isAll, isFirst }: { exception: Exception; isAll: boolean; isFirst: boolean }) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const newest = [...exception.frames].reverse();
  const inApp = newest.filter((frame) => frame.inApp);
  const shown = isAll || inApp.length === 0 ? newest : inApp;
  const hidden = newest.length - shown.length;
  if (newest.length === 0) return <p className="dim">{own.noStack}</p>;
  const opened = shown.findIndex(({ source }) => source !== null);
  return (
    <>
      <ol className={css['frames']}>
        {shown.map((frame, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its place
          <li key={at}>
            <FrameRow frame={frame} isOpen={isFirst && at === opened} />
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className={classNames(css['note'], 'dim')}>{own.hidden(hidden, format.number(hidden))}</p>}
    </>
  );
}

function FrameRow({ frame, isOpen }: { frame: Frame; isOpen: boolean }) {
  const own = usePart(issueWords);
  const { source, built, inApp } = frame;
  const name = frame.function === '' || frame.function === '?' ? own.anonymous : frame.function;
  const row = (
    <>
      <span className={classNames('mono', css['function'])}>{name}</span>
      <span className={classNames('mono', css['place'])}>{placeOf(frame)}</span>
      {inApp && <span className={classNames(list['badge'], css['own'])}>{own.inApp}</span>}
    </>
  );
  if (source === null && built === null) return <div className={css['frame']}>{row}</div>;
  return (
    <details open={isOpen}>
      <summary className={css['frame']}>
        <Icon name="right" small />
        {row}
      </summary>
      {source !== null && <Source frame={frame} />}
      {built !== null && (
        <p className={classNames(css['note'], 'dim mono')}>{own.built(`${placeOf(built)} ${built.function}`)}</p>
      )}
    </details>
  );
}

function Source({ frame }: { frame: Frame }) {
  const { source, line } = frame;
  if (source === null) return null;
  const first = (line ?? 1) - source.before.length;
  const lines = [...source.before, source.line, ...source.after];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard must reach it
    <section className={css['source']} tabIndex={0} aria-label={placeOf(frame)}>
      <pre className="mono">
        {lines.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <span key={at} className={classNames(css['sourceLine'], at === source.before.length && css['hit'])}>
            <span className={css['lineNumber']}>{first + at}</span>
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}

function placeOf({ file, line, column }: Pick<Frame, 'file' | 'line' | 'column'>): string {
  const short = file.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\//i, '').replace(/[?#].*$/, '');
  return [short, line, line === null ? null : column].filter((part) => part !== null).join(':');
}

/** As engines write stacks. */
function textOf(exceptions: readonly Exception[]): string {
  return exceptions
    .map(({ type, value, frames }, at) => {
      const head = `${at > 0 ? 'Caused by: ' : ''}${type}: ${value}`;
      const calls = [...frames].reverse().map((frame) => `    at ${frame.function || '?'} (${placeOf(frame)})`);
      return [head, ...calls].join('\n');
    })
    .join('\n');
}
