/** A chosen segment, open: its conditions as chips that can be changed, and what has been changed to be kept or taken back. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useAddress } from '#views/frame/queries.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useTrpc } from '#views/trpc.ts';
import { segmentWords } from '#views/words/segments.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, type Question } from '../question.ts';
import { SegmentActions } from './SegmentActions.tsx';
import css from './SegmentBar.module.css';
import { type OpenSegment, openSegment } from './segment-edit.ts';

export interface SegmentBarProps {
  path: string;
  question: Question;
  /** The list of segments. */
  choice: ReactNode;
  /** The chips, of the open segment; of none: those beside it. */
  children(open: OpenSegment | null): ReactNode;
}

export function SegmentBar({ path, question, choice, children }: SegmentBarProps) {
  const text = usePart(segmentWords);
  const project = useAddress()?.project ?? '';
  const { data: segments } = useSuspenseQuery(useTrpc().insights.segments.list.queryOptions({ project }));
  const open = openSegment(question, segments);
  const id = useId();
  if (open === null) {
    return (
      <>
        {choice}
        {children(null)}
      </>
    );
  }
  const { name, id: number } = open.segment;
  const kept = { ...question, edited: null, filters: null, people: null };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={text.bar(name, open.isChanged)} className={css['bar']}>
      <span id={id} className={css['label']}>
        {text.label}
      </span>
      {choice}
      {children(open)}
      {open.isChanged && (
        <Late>
          <SegmentActions
            project={project}
            path={path}
            open={open}
            discardHref={addressOf(path, { ...kept, segment: number })}
          />
        </Late>
      )}
      <Link
        href={addressOf(path, { ...kept, segment: null })}
        className={`${css['close']} no-print`}
        aria-label={text.close}
      >
        <Icon name="x" small />
      </Link>
    </div>
  );
}
