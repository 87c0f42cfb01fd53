/** How the numbers of Live are counted: a link below them, and what it opens. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, useId } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useTrpc } from '#views/trpc.ts';
import { explainWords } from '#views/words/explain.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from '../insights/Explain.module.css';

export interface ExplainNowProps {
  project: string;
  isOpen: boolean;
  /** Where it is shown, or, when it is open, where it is not. */
  href: string;
  timeZone: string;
}

export function ExplainNow({ project, isOpen, href, timeZone }: ExplainNowProps) {
  const own = usePart(explainWords);
  return (
    <>
      <p className={`${css['link']} no-print`}>
        <Link href={href} ahead={false} aria-expanded={isOpen} aria-label={own.linkOf(own.now.title)}>
          {own.link}
        </Link>
      </p>
      {isOpen && (
        <Boundary of={project} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Suspense>
            <Panel {...{ project, href, timeZone }} />
          </Suspense>
        </Boundary>
      )}
    </>
  );
}

function Panel({ project, href, timeZone }: Pick<ExplainNowProps, 'project' | 'href' | 'timeZone'>) {
  const { format } = useWords();
  const own = usePart(explainWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({ ...trpc.insights.explainNow.queryOptions({ project }), staleTime: Infinity });
  const id = useId();
  return (
    <section aria-labelledby={id} className={css['panel']}>
      <h2 id={id}>{own.now.title}</h2>
      <ul>
        {own.now.definitions.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <CodeBlock title={own.now.sql(format.clock(data.at, timeZone))} code={data.sql} />
      <p>
        <Link href={href} ahead={false} className="link">
          {own.close}
        </Link>
      </p>
    </section>
  );
}
