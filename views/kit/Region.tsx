/**
 * A part of a screen with its own data. It streams alone, fails alone, and while the question changes it keeps its old
 * figures, dimmed, until the new ones are there.
 */
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { Late } from '#views/kit/Late.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { useWords } from '#views/words/words.tsx';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';
import { useConnection } from './connection.tsx';
import css from './Region.module.css';
import { FailedState } from './State.tsx';

export interface RegionProps<Question> {
  /** The query; the same object while it is unchanged. */
  question: Question;
  /** Key of the query: a new one resets an old error. */
  of: string;
  label?: string;
  /** Same geometry as the content. */
  skeleton: ReactNode;
  /** Message after ten seconds: what is still being counted. */
  counting: string;
  /** Goes back to the question that is still shown. */
  onCancel?: (shown: Question) => void;
  className?: string | undefined;
  children: (shown: Question) => ReactNode;
}

const LONG_MS = 10_000;

export function Region<Question>(props: RegionProps<Question>) {
  const { question, of, label, skeleton, counting, onCancel, className, children } = props;
  const { pending } = useNavigation();
  const { generation } = useConnection();
  const shown = useDeferredValue(question);
  const shownOf = useDeferredValue(of);
  const stale = shown !== question || pending;
  const long = useAfter(LONG_MS, stale);
  const { words } = useWords();
  return (
    <section aria-label={label} aria-busy={stale || undefined} className={classNames(css['region'], className)}>
      {long && (
        <p role="status" className={css['long']}>
          {words.regions.stillCounting(counting)}
          {onCancel && shown !== question && (
            <Button small onClick={() => onCancel(shown)}>
              {words.regions.cancel}
            </Button>
          )}
        </p>
      )}
      <div className={css['content']}>
        <Boundary
          of={`${shownOf} ${generation}`}
          fallback={(error, retry) => <FailedState error={error} retry={retry} />}
        >
          <Late
            fallback={
              <div aria-busy="true">
                <span className="visually-hidden">{words.regions.loading}</span>
                {skeleton}
              </div>
            }
          >
            {children(shown)}
          </Late>
        </Boundary>
      </div>
    </section>
  );
}

/** True once `active` has lasted for `ms`. */
function useAfter(ms: number, active: boolean): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [ms, active]);
  return passed;
}
