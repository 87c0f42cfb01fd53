/** How the number is counted that a goal shows while it is being written. */

import type { GoalDraft } from '#src/insights/goals/contract.ts';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { SQL_TOKENS } from '#views/kit/sql-tokens.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { explainWords } from '#views/words/explain.ts';
import { explainLinkWords } from '#views/words/explain-link.ts';
import { goalWords } from '#views/words/goals.ts';
import { usePart } from '#views/words/words.tsx';
import { Explained } from './ExplainPanel.tsx';

export interface DraftExplainedProps {
  reference: string;
  draft: GoalDraft;
}

export function DraftExplained({ reference, draft }: DraftExplainedProps) {
  const own = usePart(goalWords);
  const { definitions } = usePart(explainWords);
  const { link } = usePart(explainLinkWords);
  const trpc = useTrpc();
  const { data, error } = useKnown({
    ...trpc.insights.goals.explainPreview.queryOptions({ project: reference, draft }),
    retry: false,
    placeholderData: (before) => before,
  });
  if (error) return <p role="alert">{own.wrong}</p>;
  if (data === undefined) return <p>{own.counting}</p>;
  return (
    <Explained of={data.counted} input={{}} name={link}>
      {data.revenue.length > 0 && <p>{definitions.revenue}</p>}
      {data.revenue.map(({ currency, sql }) => (
        <CodeBlock key={currency} title={own.sqlOfRevenue(currency)} code={sql} tokens={SQL_TOKENS} />
      ))}
    </Explained>
  );
}
