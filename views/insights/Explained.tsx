/** How an answer is calculated: in words, and as SQL over the rows. */

import { useState } from 'react';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { SQL_TOKENS } from '#views/kit/sql-tokens.ts';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { insightRuleWords } from '#views/words/insight-rules.ts';
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Answer.module.css';
import { type Insight, inputOf } from './insight.ts';

export interface ExplainedProps {
  reference: string;
  insight: Insight;
}

export function Explained({ reference, insight }: ExplainedProps) {
  const own = usePart(insightWords);
  const rules = usePart(insightRuleWords);
  const [isOpen, setIsOpen] = useState(false);
  const { kind } = insight;
  return (
    <details className={`${css['explain']} no-print`} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{own.explain}</summary>
      <div>
        {rules[kind].map((rule) => (
          <p key={rule}>{rule}</p>
        ))}
        {isOpen && <Sql reference={reference} insight={insight} />}
      </div>
    </details>
  );
}

function Sql({ reference, insight }: ExplainedProps) {
  const own = usePart(insightWords);
  const trpc = useTrpc();
  const input = { project: reference, ...inputOf(insight) };
  const procedure = trpc.insights.explainQuery[insight.kind] as NonNullable<
    typeof trpc.insights.explainQuery.lifecycle
  >;
  const { data } = useKnown(procedure.queryOptions(input));
  if (data === undefined) return null;
  if (data.sql === null) return <p className="dim">{own.noSql}</p>;
  return (
    <>
      <CodeBlock title={own.sql} code={data.sql} tokens={SQL_TOKENS} />
      <p className="dim">{own.sqlNote}</p>
    </>
  );
}
