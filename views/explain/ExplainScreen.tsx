/** A link below the numbers of a screen other than the Overview to how they are counted; what it opens comes when it is opened. */
import { Boundary } from '#views/boundary.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { explainLinkWords } from '#views/words/explain-link.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Explain.module.css';
import type { ScreenPanelProps } from './ExplainScreenPanel.tsx';

const Panel = lazyPart<ScreenPanelProps>(
  'explain',
  async () => (await import('#views/areas/explain.ts')).ExplainScreenPanel,
);

export interface ExplainScreenProps extends ScreenPanelProps {
  isOpen: boolean;
}

export function ExplainScreen({ isOpen, ...shown }: ExplainScreenProps) {
  const { asked, href, only } = shown;
  const own = usePart(explainLinkWords);
  return (
    <>
      <p className={`${css['link']} no-print`}>
        <Link
          href={href}
          ahead={false}
          aria-expanded={isOpen}
          aria-label={own.linkOf(own.titles[only ?? asked.screen])}
        >
          {own.link}
        </Link>
      </p>
      {isOpen && (
        <Boundary key={JSON.stringify(asked)} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Late>
            <Panel {...shown} />
          </Late>
        </Boundary>
      )}
    </>
  );
}
