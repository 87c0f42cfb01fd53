/** Names that are spelled like one that has never been received. */
import { Fragment, type ReactNode } from 'react';
import { unknownEventWords } from '#views/words/unknown-events.ts';
import { usePart } from '#views/words/words.tsx';

export interface DidYouMeanProps {
  names: readonly string[];
  /** Renders a name as a link or button that applies it. */
  children(name: string): ReactNode;
}

export function DidYouMean({ names, children }: DidYouMeanProps) {
  const text = usePart(unknownEventWords);
  if (names.length === 0) return null;
  return (
    <>
      {' '}
      {text.didYouMean}{' '}
      {names.map((name, place) => (
        <Fragment key={name}>
          {place > 0 && (place === names.length - 1 ? ` ${text.or} ` : ', ')}
          {children(name)}
        </Fragment>
      ))}
      ?
    </>
  );
}
