/** The query of an insight: its kind, the cards of that kind, and the filters of all of it. On a phone it opens above the answer. */
import { useId, useState } from 'react';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { moveFocus } from '#views/kit/move-focus.ts';
import type { CompareChoiceProps } from '#views/question/CompareChoice.tsx';
import type { DateRangeProps } from '#views/question/DateRange.tsx';
import type { Today } from '#views/question/dates.ts';
import type { FilterChipsProps } from '#views/question/filters/FilterChips.tsx';
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import { exactPath, insightAddress, ownPath } from './address.ts';
import css from './InsightQuery.module.css';
import { eventsOf, firstOwn, hasKey, type Insight, type KindName, kindNames } from './insight.ts';
import type { CardsProps } from './kind-view.ts';
import { viewOf } from './kinds.ts';
import { eventsName, type GoalName } from './names.ts';
import { QueryPart } from './OptionRow.tsx';

const FilterChips = lazyPart<FilterChipsProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).FilterChips,
);
const DateRange = lazyPart<DateRangeProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).DateRange,
);
const CompareChoice = lazyPart<CompareChoiceProps>(
  'filter-bar',
  async () => (await import('#views/areas/filter-bar.ts')).CompareChoice,
);

export interface InsightQueryProps {
  reference: string;
  project: ProjectSummary;
  now: Today;
  goals: readonly GoalName[];
  /** Of the screen, without a query. */
  path: string;
  /** With what is not asked yet. */
  insight: Insight;
  onChange(insight: Insight): void;
}

export function InsightQuery(props: InsightQueryProps) {
  const { insight, goals } = props;
  const own = usePart(insightWords);
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const events = eventsOf(insight).map((each) => eventsName(each, goals, own));
  return (
    <aside className={css['query']} aria-label={own.query}>
      <button
        type="button"
        className={css['summary']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="sliders" />
        <span className="clip">{[own.kinds[insight.kind], ...events].join(' · ')}</span>
        <Icon name="down" />
      </button>
      <div id={id} className={classNames(css['body'], isOpen && css['open'])}>
        <KindChoice {...props} />
        <Cards {...props} />
        <QueryPart title={own.filter}>
          <Late>
            <FilterChips withSegments path={filterPath(props)} question={insight.question} />
          </Late>
          {insight.people && <OtherPeople {...props} />}
        </QueryPart>
      </div>
    </aside>
  );
}

/** Range and comparison, which stand above the answer. */
export function InsightRange({ path, insight, now }: InsightQueryProps) {
  const exact = exactPath(path, insight);
  return (
    <search className={css['range']}>
      <Late>
        <DateRange {...exact} now={now} withMinutes />
        {hasKey(insight.kind, 'compare') && <CompareChoice {...exact} now={now} />}
      </Late>
    </search>
  );
}

/** Where filters lead: what the chips say is in the address in words. */
function filterPath({ path, insight }: InsightQueryProps): string {
  return ownPath(path, insight, insight.people ? { people: insight.people } : {});
}

function KindChoice({ path, insight }: InsightQueryProps) {
  const own = usePart(insightWords);
  const events = eventsOf(insight);
  const hrefOf = (kind: KindName): string =>
    insightAddress(path, { ...insight, kind, own: firstOwn(kind, events), display: {} } as unknown as Insight);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and these are links
    <div
      role="group"
      aria-label={own.kindLabel}
      className={css['kinds']}
      onKeyDown={(event) => moveFocus(event, 'a', 'horizontal')}
    >
      {kindNames.map((kind) => (
        <Link
          key={kind}
          href={kind === insight.kind ? insightAddress(path, insight) : hrefOf(kind)}
          aria-current={kind === insight.kind ? 'true' : undefined}
        >
          {own.kinds[kind]}
        </Link>
      ))}
    </div>
  );
}

function Cards({ reference, goals, insight, onChange }: InsightQueryProps) {
  // The kind says what its own part of the query is.
  const { Cards: View } = viewOf(insight.kind);
  return (
    <Late>
      <View
        key={insight.kind}
        project={reference}
        goals={goals}
        insight={insight as CardsProps<KindName>['insight']}
        onChange={(own) => onChange({ ...insight, own } as unknown as Insight)}
      />
    </Late>
  );
}

function OtherPeople({ insight, onChange }: InsightQueryProps) {
  const own = usePart(insightWords);
  const { people: _, ...everybody } = insight;
  return (
    <p className={css['people']}>
      {own.otherPeople}
      <button type="button" aria-label={own.removePeople} onClick={() => onChange(everybody as Insight)}>
        <Icon name="x" small />
      </button>
    </p>
  );
}
