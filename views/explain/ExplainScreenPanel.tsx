/** How the numbers of a screen other than the Overview are counted. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ScreenExplanation } from '#src/insights/explain/contract.ts';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { SidePanel } from '#views/kit/SidePanel.tsx';
import { SQL_TOKENS } from '#views/kit/sql-tokens.ts';
import { useTrpc } from '#views/trpc.ts';
import { explainLinkWords } from '#views/words/explain-link.ts';
import { explainScreenWords } from '#views/words/explain-screens.ts';
import { missing } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { List, Listed } from './ExplainLists.tsx';
import panelCss from './ExplainPanel.module.css';
import { type AskedScreen, explanationOf } from './explain-asked.ts';

export interface ScreenPanelProps {
  asked: AskedScreen;
  /** Where it is shown, or, when it is open, where it is not. */
  href: string;
  timeZone: string;
  /** Only the number of current visitors, for viewers. Absent: all numbers of the screen. */
  only?: 'now';
}

export function ExplainScreenPanel(props: ScreenPanelProps) {
  const title = usePart(explainLinkWords).titles[props.only ?? props.asked.screen];
  return (
    <SidePanel label={title} closeHref={props.href}>
      <Content {...props} />
    </SidePanel>
  );
}

function Content({ asked, timeZone, only }: ScreenPanelProps) {
  const { format } = useWords();
  const own = usePart(explainScreenWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery<ScreenExplanation>({ ...explanationOf(trpc, asked), staleTime: Infinity });
  const id = useId();
  const title = usePart(explainLinkWords).titles[only ?? asked.screen];
  const { definitions, rules } = own.screens[only ?? asked.screen];
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
          tokens={SQL_TOKENS}
        />
      ))}
    </section>
  );
}
