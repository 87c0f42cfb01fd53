/** Opens what the change of the number is made of; its code and numbers come when it is opened. */
import { Boundary } from '#views/boundary.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { addressOf, type Question, questionKey } from '#views/question/question.ts';
import { moversLinkWords } from '#views/words/movers-link.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { MoversPanelProps } from './MoversPanel.tsx';
import css from './MoversPlace.module.css';

const MoversPanel = lazyPart<MoversPanelProps>(
  'movers',
  async () => (await import('#views/areas/movers.ts')).MoversPanel,
);

export interface MoversPlaceProps {
  reference: string;
  path: string;
  question: Question;
}

export function MoversPlace({ reference, path, question }: MoversPlaceProps) {
  const own = usePart(moversLinkWords);
  const { words } = useWords();
  const isOpen = question.movers;
  return (
    <section aria-label={own.title} className={css['movers']}>
      <p className="no-print">
        <Link
          href={addressOf(path, { ...question, movers: !isOpen })}
          ahead={false}
          aria-expanded={isOpen}
          className={css['opener']}
        >
          {own.title}
        </Link>
      </p>
      {isOpen && (
        <Boundary
          of={`${questionKey(question)} ${question.metric}`}
          fallback={(error, retry) => <FailedState error={error} retry={retry} />}
        >
          <Late
            fallback={
              <div aria-busy="true">
                <span className="visually-hidden">{words.regions.loading}</span>
                <BarTableSkeleton rows={6} />
              </div>
            }
          >
            <MoversPanel reference={reference} path={path} question={question} />
          </Late>
        </Boundary>
      )}
    </section>
  );
}
