/** How the numbers of a screen other than the Overview are counted: a link below them, and what it opens. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useTrpc } from '#views/trpc.ts';
import { explainScreenWords } from '#views/words/explain-screens.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Explain.module.css';
import { List, Listed } from './ExplainLists.tsx';
import panelCss from './ExplainPanel.module.css';
import { type AskedScreen, explanationOf } from './explain-asked.ts';

export interface ExplainScreenProps {
  asked: AskedScreen;
  isOpen: boolean;
  /** Where it is shown, or, when it is open, where it is not. */
  href: string;
  timeZone: string;
  /** Who is here now, for those who see no more of it. Absent: all numbers of the screen. */
  only?: 'now';
}

export function ExplainScreen({ isOpen, ...shown }: ExplainScreenProps) {
  const { asked, href, only } = shown;
  const own = usePart(explainScreenWords);
  return (
    <>
      <p className={`${css['link']} no-print`}>
        <Link
          href={href}
          ahead={false}
          aria-expanded={isOpen}
          aria-label={own.linkOf(own.screens[only ?? asked.screen].title)}
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

function Panel({ asked, href, timeZone, only }: Omit<ExplainScreenProps, 'isOpen'>) {
  const { format } = useWords();
  const own = usePart(explainScreenWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery<ScreenExplanation>({ ...explanationOf(trpc, asked), staleTime: Infinity });
  const id = useId();
  const { title, definitions, rules } = own.screens[only ?? asked.screen];
  const left = data.left.map(({ what, count }) => own.leftOut[what](count, format.number(count)));
  const parts = data.parts.filter(({ of }) => only === undefined || of === only);
  const value = data.elsewhere[0]?.value ?? null;
  const others = rules?.(value === null ? missing : format.number(value)) ?? [];
  return (
    <section aria-labelledby={id} className={panelCss['panel']}>
      <h2 id={id}>{title}</h2>
      <List of={definitions} />
      <Listed title={own.left} of={left} />
      <Listed title={own.elsewhere} of={others} />
      {parts.map(({ of, sql }) => (
        <CodeBlock
          key={of}
          title={own.sql(only === undefined ? own.figures[of] : title, format.clock(data.at, timeZone))}
          code={sql}
          language="sql"
        />
      ))}
      <p>
        <Link href={href} ahead={false} className="link">
          {own.close}
        </Link>
      </p>
    </section>
  );
}
