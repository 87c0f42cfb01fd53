/** How a number is counted: definition, what is left out, other products' rules, the SQL. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { Elsewhere, ExplainInput, Explanation } from '#src/insights/explain/contract.ts';
import { isProject } from '#views/frame/queries.ts';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Link } from '#views/kit/Link.tsx';
import { SidePanel } from '#views/kit/SidePanel.tsx';
import { SQL_TOKENS } from '#views/kit/sql-tokens.ts';
import type { Question } from '#views/question/question.ts';
import { eventsAddress } from '#views/question/use-row-lead.ts';
import { vitalText } from '#views/question/vital-text.ts';
import { useTrpc } from '#views/trpc.ts';
import { caveatWords } from '#views/words/caveats.ts';
import { explainWords } from '#views/words/explain.ts';
import type { Format } from '#views/words/format.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { sentencesOf } from './Caveats.tsx';
import { List, Listed } from './ExplainLists.tsx';
import css from './ExplainPanel.module.css';

export interface ExplainPanelProps {
  input: ExplainInput;
  question: Question;
  name: string;
  closeHref: string;
}

export function ExplainPanel(props: ExplainPanelProps) {
  return (
    <SidePanel label={props.name} closeHref={props.closeHref}>
      <Content {...props} />
    </SidePanel>
  );
}

function Content({ input, question, name }: ExplainPanelProps) {
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.insights.explain.queryOptions(input));
  return (
    <Explained of={data} input={input} name={name}>
      {data.events !== null && (
        <p>
          <EventsLink reference={input.project} question={question} names={data.events} />
        </p>
      )}
    </Explained>
  );
}

export interface ExplainedProps {
  of: Explanation;
  input: Pick<ExplainInput, 'vital' | 'more' | 'goal'>;
  name: string;
  /** Below the SQL. */
  children?: ReactNode;
}

/** Definition, what is left out, other products' rules, the SQL. */
export function Explained({ of: data, input, name, children }: ExplainedProps) {
  const { format } = useWords();
  const own = usePart(explainWords);
  const caveats = usePart(caveatWords);
  const id = useId();
  const left = leftOut(data, own, format);
  const rules = rulesOf(data, input, own, format);
  return (
    <section aria-labelledby={id} className={css['panel']}>
      <h2 id={id}>{name}</h2>
      <p>{[definitionOf(data, own, format), ...sentencesOf(data.caveats, caveats)].join(' ')}</p>
      {input.more && <List of={furtherOf(data.of, input.goal !== undefined, own)} />}
      <Listed title={own.left} of={left} />
      <Listed title={own.elsewhere} of={rules} />
      <CodeBlock title={own.sql} code={data.sql} tokens={SQL_TOKENS} />
      {data.sqlBefore !== null && (
        <details className={css['before']}>
          <summary>{own.before}</summary>
          <CodeBlock title={own.sqlBefore} code={data.sqlBefore} tokens={SQL_TOKENS} />
        </details>
      )}
      <p className="dim">{own.sqlNote}</p>
      {children}
    </section>
  );
}

/** For those who may see events one by one: under the same filters, bots and the team's own among them. */
function EventsLink({ reference, question, names }: { reference: string; question: Question; names: string[] }) {
  const own = usePart(explainWords);
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const role = projects.find((each) => isProject(each, reference))?.role ?? 'viewer';
  if (!mayCall('explorer.page', role)) return null;
  return (
    <Link href={eventsAddress(reference, question, names)} ahead={false} className="link">
      {own.events}
    </Link>
  );
}

type OwnWords = (typeof explainWords)['en'];

function definitionOf({ of, per, bounceSeconds }: Explanation, own: OwnWords, format: Format): string {
  const { definitions, byVisit } = own;
  if (of === 'bounceRate') return own.bounceRate(bounceSeconds, format.number(bounceSeconds));
  return per === 'visit' && (of === 'goal' || of === 'conversionRate') ? byVisit[of] : definitions[of];
}

/** The further columns of a table in full. */
function furtherOf(of: Explanation['of'], withGoal: boolean, { further }: OwnWords): string[] {
  const { pages, visits, reached } = further;
  if (of === 'event' || of === 'outbound') return withGoal ? reached.events : [];
  if (of === 'page') return withGoal ? [...pages, ...reached.pages] : pages;
  return withGoal ? [...visits, ...reached.visits] : visits;
}

/** Exclusion rules are shown even if they exclude nothing. */
function leftOut({ excluded }: Explanation, own: OwnWords, format: Format): string[] {
  const { of, bots, internal, filters, withoutVisit } = excluded;
  const what = (n: number) => own.counted[of](n, format.number(n));
  return [
    ...(bots === null ? [own.botsIn] : [own.bots(what(bots))]),
    ...(internal === null ? [own.internalIn] : internal > 0 ? [own.internal(what(internal))] : []),
    ...(filters === null ? [] : [own.filters(what(filters))]),
    ...(withoutVisit ? [own.withoutVisit[of](withoutVisit, format.number(withoutVisit))] : []),
  ];
}

/** Rules that have a number, where there is one, and those that are explained in words alone. */
function rulesOf(
  { of, elsewhere }: Explanation,
  { vital = 'LCP' }: Pick<ExplainInput, 'vital'>,
  own: OwnWords,
  format: Format,
): string[] {
  const textOf = (value: number): string => {
    if (of === 'vitals') return vitalText(vital, value, format);
    if (of === 'visitDuration') return format.duration(value);
    return of === 'bounceRate' || of === 'conversionRate' ? format.percent(value) : format.number(value);
  };
  const found = new Map<Elsewhere['product'], number | null>(elsewhere.map(({ product, value }) => [product, value]));
  return (own.rules[of] ?? []).flatMap(({ by, text }) => {
    if (by === undefined) return text('');
    const value = found.get(by) ?? null;
    return value === null ? [] : text(textOf(value));
  });
}
