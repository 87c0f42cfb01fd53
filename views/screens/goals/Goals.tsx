/** Goals of a project: what was reached of each in the last 28 days, and a form to make or change one. */

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Fragment, useMemo, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { GoalFigures } from '#src/insights/contract.ts';
import type { Goal } from '#src/insights/goals/contract.ts';
import type { UnknownEvent } from '#src/insights/unknown-events/contract.ts';
import { UNKNOWN_CURRENCY } from '#src/kit/numbers/values.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { alertsOf, goalsOf, overviewOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { frameQueries, isProject, useRoleIn } from '#views/frame/queries.ts';
import { GoalForm } from '#views/goal/GoalForm.tsx';
import { GoalPanel } from '#views/goal/GoalPanel.tsx';
import { RuleChips } from '#views/goal/RuleChips.tsx';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useKnown } from '#views/known.ts';
import { DidYouMean } from '#views/question/DidYouMean.tsx';
import { GoalPerChoice } from '#views/question/GoalPerChoice.tsx';
import { explainInput, goalsInput } from '#views/question/inputs.ts';
import { addressOf, type Question, readQuestion } from '#views/question/question.ts';
import { WithoutAmount } from '#views/question/WithoutAmount.tsx';
import type { ScreenModule, ScreenProps, ScreenQuery } from '#views/screen.ts';
import { failureOf, type Trpc, useTrpc } from '#views/trpc.ts';
import { type Format, missing } from '#views/words/format.ts';
import { goalWords } from '#views/words/goals.ts';
import { unknownEventWords } from '#views/words/unknown-events.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './Goals.module.css';

const IN_28_DAYS = { range: 'last_28_days', compare: 'none' } as const;
const TABLE = 'goal';

/** The question that the list answers, as the Overview would ask it. */
function questionOf(search: URLSearchParams): Question {
  const { explain, per } = readQuestion(search);
  return { ...readQuestion(new URLSearchParams({ ...IN_28_DAYS, done: TABLE })), explain, per };
}

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const question = questionOf(props.search);
  const explained = explainInput(project, question);
  return [
    ...frameQueries(trpc, props),
    { options: trpc.insights.goals.list.queryOptions({ project }), critical: true },
    { options: trpc.insights.query.goals.queryOptions(goalsInput(project, question)), critical: true },
    { options: trpc.insights.goals.reached.queryOptions({ project }), critical: true },
    { options: trpc.insights.unknownEvents.queryOptions({ project, allGoals: true }), critical: true },
    ...(explained ? [{ options: trpc.insights.explain.queryOptions(explained), critical: true }] : []),
  ];
}

export const title: ScreenModule['title'] = ({ language }) => goalWords[language].title;

export function Screen({ params, search }: ScreenProps) {
  const own = usePart(goalWords);
  const reference = params['project'] ?? '';
  const edited = search.get('edit');
  const text = search.toString();
  const question = useMemo(() => questionOf(new URLSearchParams(text)), [text]);
  return (
    <Page
      title={own.title}
      actions={
        edited === null && (
          <Late>
            <HeadLink reference={reference} />
          </Late>
        )
      }
    >
      <div className="ph-no-capture">
        <Late fallback={<BarTableSkeleton rows={6} />}>
          <Content key={reference} reference={reference} edited={edited} question={question} />
        </Late>
      </div>
    </Page>
  );
}

/** Where there is no goal, the link stands under the words that say so. */
function HeadLink({ reference }: { reference: string }) {
  const { data: goals } = useSuspenseQuery(useTrpc().insights.goals.list.queryOptions({ project: reference }));
  return goals.length > 0 && <NewLink reference={reference} />;
}

function NewLink({ reference }: { reference: string }) {
  const own = usePart(goalWords);
  if (!mayCall('insights.goals.create', useRoleIn(reference).role)) return null;
  return (
    <ButtonLink kind="primary" small href={`${goalsOf(reference)}?edit=new`}>
      {own.make}
    </ButtonLink>
  );
}

interface ContentProps {
  reference: string;
  edited: string | null;
  question: Question;
}

function Content({ reference, edited, question }: ContentProps) {
  const own = usePart(goalWords);
  const trpc = useTrpc();
  const { data: goals } = useSuspenseQuery(trpc.insights.goals.list.queryOptions({ project: reference }));
  const isMaker = mayCall('insights.goals.create', useRoleIn(reference).role);
  const goal = goals.find(({ id }) => String(id) === edited) ?? null;
  const closeHref = goalsOf(reference);
  if (isMaker && edited === 'new') {
    return <GoalForm reference={reference} goal={null} doneHref={closeHref} />;
  }
  if (goals.length === 0) {
    return (
      <State icon="check" title={own.none} actions={isMaker && <NewLink reference={reference} />}>
        {own.noneText} {!isMaker && own.noneViewer}
      </State>
    );
  }
  return (
    <>
      <p className={css['intro']}>{own.text}</p>
      <GoalPerChoice
        per={question.per}
        href={(per) =>
          addressOf(goalsOf(reference), { ...readQuestion(new URLSearchParams()), explain: question.explain, per })
        }
      />
      <Region
        question={question}
        of={question.per}
        counting={own.title}
        skeleton={<BarTableSkeleton rows={goals.length} />}
      >
        {(shown) => (
          // The link comes with the list, whose height only its rows know.
          <>
            <List reference={reference} goals={goals} question={shown} isMaker={isMaker} />
            <Explain reference={reference} question={question} of={TABLE} path={goalsOf(reference)} name={own.list} />
          </>
        )}
      </Region>
      {isMaker && goal !== null && <GoalPanel key={goal.id} reference={reference} goal={goal} closeHref={closeHref} />}
    </>
  );
}

interface ListProps {
  reference: string;
  goals: Goal[];
  question: Question;
  isMaker: boolean;
}

function List({ reference, goals, question, isMaker }: ListProps) {
  const own = usePart(goalWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.insights.query.goals.queryOptions(goalsInput(reference, question)));
  const { data: reached } = useSuspenseQuery(trpc.insights.goals.reached.queryOptions({ project: reference }));
  // A hint beside the numbers: they are shown without it, too.
  const { data: unknown = [] } = useKnown(
    trpc.insights.unknownEvents.queryOptions({ project: reference, allGoals: true }),
  );
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const timeZone = projects.find((each) => isProject(each, reference))?.timeZone ?? 'UTC';
  const thisYear = Number(dateIn(useServerTime(), timeZone).slice(0, 4));
  const dayText = (at: number) => format.day(dateIn(at, timeZone), thisYear);
  const days = new Map(reached.map(({ id, day }) => [id, day]));
  const figures = new Map(data.goals.map((figure) => [figure.id, figure]));
  const { columns } = own;
  return (
    <table className={css['table']}>
      <caption className="visually-hidden">{own.list}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.goal}</th>
          <th scope="col">{columns.conversions}</th>
          <th scope="col" className="wide-only">
            {columns.people}
          </th>
          <th scope="col">{columns.rate[data.per]}</th>
          <th scope="col" className="wide-only">
            {columns.revenue}
          </th>
          <th scope="col" className="wide-only">
            {columns.reached}
          </th>
          {isMaker && (
            <th scope="col">
              <span className="visually-hidden">{own.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {goals.map((goal) => (
          <tr key={goal.id}>
            <th scope="row">
              <Link href={hrefOf(reference, goal.id, question)} className={css['name']}>
                {goal.name}
              </Link>
              <span className={css['chips']}>
                <RuleChips rule={goal.rule} />
              </span>
              {goal.changedAt > goal.createdAt && (
                <span className={css['rule']}>{own.changedOn(dayText(goal.changedAt))}</span>
              )}
              <PhoneRevenue figure={figures.get(goal.id)} />
              <UnknownNames unknown={unknown.filter((each) => each.goal?.id === goal.id)} />
              <Unread project={reference} goal={goal} figure={figures.get(goal.id)} />
            </th>
            <FigureCells figure={figures.get(goal.id)} format={format} />
            <Reached day={days.get(goal.id) ?? null} dayText={dayText} />
            {isMaker && (
              <td>
                <Actions reference={reference} goal={goal} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function UnknownNames({ unknown }: { unknown: readonly UnknownEvent[] }) {
  const text = usePart(unknownEventWords);
  return unknown.map(({ event, suggestions }) => (
    <span key={event} className={css['rule']}>
      <Icon name="info" small /> {text.named(event)}
      <DidYouMean names={suggestions}>{(name) => <span className="mono">{name}</span>}</DidYouMean>
    </span>
  ));
}

function hrefOf(reference: string, goal: number, { per }: Question): string {
  const question = readQuestion(new URLSearchParams());
  return addressOf(overviewOf(reference), { ...question, metric: 'conversions', goal, per });
}

interface UnreadProps {
  project: string;
  goal: Goal;
  figure: GoalFigures['goals'][number] | undefined;
}

/** Beside the name, since phones have no column of revenue. */
function Unread({ project, goal, figure }: UnreadProps) {
  if (figure === undefined) return null;
  return (
    <WithoutAmount project={project} figure={figure} goal={goal} range={IN_28_DAYS.range} className={css['unread']} />
  );
}

function FigureCells({ figure, format }: Pick<UnreadProps, 'figure'> & { format: Format }) {
  const { conversions, people, conversionRate: rate, revenue = [] } = figure ?? {};
  const count = (value: number | null | undefined) => (value == null ? missing : format.number(value));
  return (
    <>
      <td className="num">{count(conversions?.value)}</td>
      <td className="num wide-only">{count(people?.value)}</td>
      <td className="num">{rate?.value == null ? missing : format.percent(rate.value)}</td>
      <td className="num wide-only">{revenue.length === 0 ? missing : <Money revenue={revenue} />}</td>
    </>
  );
}

function Money({ revenue }: Pick<GoalFigures['goals'][number], 'revenue'>) {
  const own = usePart(goalWords);
  const { format } = useWords();
  return revenue.map(({ currency, sum }) => (
    <span key={currency} className={css['money']}>
      {format.money(sum.value ?? 0, currency)}
      {currency === '' && <span className="dim"> {own.noCurrency}</span>}
      {currency === UNKNOWN_CURRENCY && <span className="dim"> {own.unknownCurrency}</span>}
    </span>
  ));
}

/** Below the rule, where there is no room for a column of it. */
function PhoneRevenue({ figure }: Pick<UnreadProps, 'figure'>) {
  const own = usePart(goalWords);
  if (figure === undefined || figure.revenue.length === 0) return null;
  return (
    <span className={`${css['revenue']} num`}>
      <span className="dim">{own.columns.revenue}</span>
      <span>
        <Money revenue={figure.revenue} />
      </span>
    </span>
  );
}

function Reached({ day, dayText }: { day: number | null; dayText: (at: number) => string }) {
  const own = usePart(goalWords);
  return (
    <td className="num wide-only">{day === null ? <span className="dim">{own.notReached}</span> : dayText(day)}</td>
  );
}

/** Insights and segments that use the goal, else the effect of deleting it. */
function Uses({ reference, goal }: { reference: string; goal: number }) {
  const own = usePart(goalWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery({
    ...trpc.insights.goals.uses.queryOptions({ project: reference, goal }),
    staleTime: 0,
  });
  const uses = [
    ...data.segments.map(({ id, name }) => ({
      key: `segment ${id}`,
      name: name ?? own.usedByOther,
      href: name === null ? null : `${overviewOf(reference)}?segment=${id}`,
    })),
    ...data.insights.map(({ id, name }) => ({ key: `insight ${id}`, name, href: null })),
  ];
  if (uses.length === 0) return own.deleteText;
  return (
    <>
      {own.usedBy}{' '}
      {uses.map(({ key, name, href }, place) => (
        <Fragment key={key}>
          {place > 0 && ', '}
          {href === null ? (
            name
          ) : (
            <Link href={href} className="link">
              {name}
            </Link>
          )}
        </Fragment>
      ))}
    </>
  );
}

function Actions({ reference, goal: { id, name } }: { reference: string; goal: Goal }) {
  const own = usePart(goalWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const remove = useMutation(trpc.insights.goals.remove.mutationOptions());
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <span className={css['actions']}>
      <ButtonLink small kind="quiet" href={`${goalsOf(reference)}?edit=${id}`} aria-label={own.editNamed(name)}>
        {own.edit}
      </ButtonLink>
      <ButtonLink
        small
        kind="quiet"
        className="wide-only"
        href={`${alertsOf(reference)}?edit=new&goal=${id}`}
        aria-label={own.alertNamed(name)}
      >
        {own.alert}
      </ButtonLink>
      <Button small kind="quiet" aria-label={own.deleteNamed(name)} onClick={() => setIsConfirming(true)}>
        {own.delete}
      </Button>
      {isConfirming && (
        <Late>
          <AskFirst
            title={own.deleteTitle(name)}
            text={
              <Late fallback={own.deleteText}>
                <Uses reference={reference} goal={id} />
              </Late>
            }
            action={own.delete}
            busy={own.deleting}
            onConfirm={async () => {
              await remove.mutateAsync({ project: reference, goal: id });
              showToast(own.deleted);
              await client.invalidateQueries({ queryKey: trpc.insights.goals.pathKey() });
            }}
            onClose={() => setIsConfirming(false)}
            words={(error) => (failureOf(error).code === 'conflict' ? own.inUse : own.failed)}
          />
        </Late>
      )}
    </span>
  );
}
