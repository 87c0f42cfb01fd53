/** How a number is counted: a link below it, and what it opens: definition, what is left out, other products' rules, the SQL. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, useId } from 'react';
import type { Explained, ExplainInput, Explanation } from '#src/insights/explain/contract.ts';
import { Boundary } from '#views/boundary.tsx';
import { overviewOf } from '#views/frame/addresses.ts';
import { BarTableSkeleton } from '#views/kit/BarTable.tsx';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Link } from '#views/kit/Link.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useTrpc } from '#views/trpc.ts';
import { explainWords } from '#views/words/explain.ts';
import type { Format } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Explain.module.css';
import { explainInput } from './inputs.ts';
import { addressOf, type Question } from './question.ts';

export interface ExplainProps {
  reference: string;
  question: Question;
  of: Explained;
  /** What the number is called. */
  name: string;
}

export function Explain({ reference, question, of, name }: ExplainProps) {
  const own = usePart(explainWords);
  const asked = explainInput(reference, question);
  const isOpen = asked?.of === of;
  const href = addressOf(overviewOf(reference), { ...question, explain: isOpen ? null : of });
  return (
    <>
      <p className={`${css['link']} no-print`}>
        <Link href={href} ahead={false} aria-expanded={isOpen} aria-label={own.linkOf(name)}>
          {own.link}
        </Link>
      </p>
      {isOpen && (
        <Boundary of={JSON.stringify(asked)} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Suspense fallback={<BarTableSkeleton rows={4} />}>
            <Panel input={asked} name={name} closeHref={href} />
          </Suspense>
        </Boundary>
      )}
    </>
  );
}

function Panel({ input, name, closeHref }: { input: ExplainInput; name: string; closeHref: string }) {
  const { format } = useWords();
  const own = usePart(explainWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.insights.explain.queryOptions(input));
  const id = useId();
  const left = leftOut(data, own, format);
  const rules = rulesOf(data, own, format);
  return (
    <section aria-labelledby={id} className={css['panel']}>
      <h2 id={id}>{name}</h2>
      <p>{own.definitions[data.of]}</p>
      {left.length > 0 && (
        <>
          <h3>{own.left}</h3>
          <List of={left} />
        </>
      )}
      {rules.length > 0 && (
        <>
          <h3>{own.elsewhere}</h3>
          <List of={rules} />
        </>
      )}
      <CodeBlock title={own.sql} code={data.sql} />
      <p className="dim">{own.sqlNote}</p>
      <p>
        <Link href={closeHref} ahead={false} className="link">
          {own.close}
        </Link>
      </p>
    </section>
  );
}

function List({ of }: { of: readonly string[] }) {
  return (
    <ul>
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

type OwnWords = (typeof explainWords)['en'];

/** What is in force is said, though it leaves out nothing. */
function leftOut({ excluded }: Explanation, own: OwnWords, format: Format): string[] {
  const { of, bots, internal, filters, withoutVisit } = excluded;
  const what = (n: number) => own.counted[of](n, format.number(n));
  return [
    ...(bots === null ? [own.botsIn] : [own.bots(what(bots))]),
    ...(internal === null ? [own.internalIn] : internal > 0 ? [own.internal(what(internal))] : []),
    ...(filters === null ? [] : [own.filters(what(filters))]),
    ...(withoutVisit ? [own.withoutVisit(withoutVisit, format.number(withoutVisit))] : []),
  ];
}

function rulesOf({ of, elsewhere }: Explanation, own: OwnWords, format: Format): string[] {
  const found = elsewhere[0]?.value ?? null;
  switch (of) {
    case 'visitors':
      return [...(found === null ? [] : [own.plausible.visitors(format.number(found))]), own.ga4.visitors];
    case 'bounceRate':
      return [...(found === null ? [] : [own.ga4.bounceRate(format.percent(found))]), own.plausible.bounceRate];
    case 'visitDuration':
    case 'channel':
      return [own.ga4[of]];
    default:
      return [];
  }
}
