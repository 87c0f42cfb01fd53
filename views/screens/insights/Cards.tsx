/** Cards of Overview: tabs, each with the largest rows of one table. */
import type { ReactNode } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { type LinkTab, LinkTabs } from '#views/kit/Tabs.tsx';
import { breakdownInput, FEW_ROWS, rateOf } from '#views/question/inputs.ts';
import {
  addressOf,
  type Card,
  cardNames,
  cards,
  type Question,
  type Table,
  type Tabs,
} from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { goalFigureWords } from '#views/words/goal-figures.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { BreakdownTable } from './BreakdownTable.tsx';
import css from './Cards.module.css';
import { CountryMap } from './CountryMap.tsx';
import { ErrorsCard } from './ErrorsCard.tsx';
import { GoalsTable } from './GoalsTable.tsx';
import { WebVitals } from './WebVitals.tsx';
import { WeeklyHeatmap } from './WeeklyHeatmap.tsx';
import type { MappedDimension, WorldMapProps } from './WorldMap.tsx';

export interface CardsProps {
  reference: string;
  path: string;
  region: RegionOf;
}

export function Cards({ reference, path, region }: CardsProps) {
  const { role } = useRoleIn(reference);
  return (
    <>
      <div className={css['tables']}>
        {cardNames.map((card) => (
          <TableCard key={card} card={card} path={path} region={region}>
            {(shown) => (
              <WithMap of={shown.tabs[card]} reference={reference} question={shown} path={path}>
                <CardTable reference={reference} table={shown.tabs[card]} question={shown} path={path} />
              </WithMap>
            )}
          </TableCard>
        ))}
      </div>
      {isAtLeast(role, 'member') && (
        <Late>
          <ErrorsCard reference={reference} region={region} />
        </Late>
      )}
      <Late>
        <WeeklyHeatmap reference={reference} region={region} />
      </Late>
      <Late>
        <WebVitals reference={reference} path={path} region={region} />
      </Late>
    </>
  );
}

/** Of countries and regions, the map stands beside the table. */
function WithMap({ of, children, ...map }: Omit<WorldMapProps, 'of'> & { of: Table; children: ReactNode }) {
  if (!isMapped(of)) return children;
  return (
    <div className={css['beside']}>
      <CountryMap of={of} {...map} />
      <div>{children}</div>
    </div>
  );
}

function isMapped(table: Table): table is MappedDimension {
  return table === 'country' || table === 'region';
}

interface CardTableProps extends Pick<CardsProps, 'reference' | 'path'> {
  table: Table;
  question: Question;
}

function CardTable({ table, ...props }: CardTableProps) {
  if (table === 'goal') return <GoalsTable {...props} />;
  return (
    <BreakdownTable
      {...props}
      input={{ ...breakdownInput(props.reference, props.question, table, FEW_ROWS), ...rateOf(props.question) }}
    />
  );
}

interface TableCardProps {
  card: Card;
  path: string;
  region: RegionOf;
  children: (shown: Question) => ReactNode;
}

function TableCard({ card, path, region, children }: TableCardProps) {
  const { words } = useWords();
  const own = usePart(tableWords);
  const goals = usePart(goalFigureWords);
  const { question } = region;
  const chosen: Table = question.tabs[card];
  const id = `card-${card}`;
  return (
    <section aria-labelledby={id} className={classNames(css['card'], isMapped(chosen) && css['wide'])}>
      <h2 id={id} className="visually-hidden">
        {chosen === 'goal' ? goals.table : words.tables[chosen]}
      </h2>
      <LinkTabs label={own.cards[card]} tabs={tabsOf(card, question, path, own, goals.tab)} back />
      {isCampaign(chosen) && (
        <Segmented
          label={own.parameter}
          className={css['parameters']}
          segments={cards.sources.filter(isCampaign).map((table) => ({
            key: table,
            label: own.tables[table].tab,
            href: addressOf(path, withTab(question, card, table)),
            current: table === chosen,
          }))}
        />
      )}
      <Region {...region} of={`${region.of} ${chosen}`} skeleton={<BarTableSkeleton rows={FEW_ROWS} />}>
        {children}
      </Region>
    </section>
  );
}

/** All parameters of campaigns stand behind one tab. */
function tabsOf(
  card: Card,
  question: Question,
  path: string,
  own: (typeof tableWords)['en'],
  goalTab: string,
): LinkTab[] {
  const chosen: Table = question.tabs[card];
  const tables: readonly Table[] = cards[card];
  const campaign = tables.find(isCampaign);
  return tables
    .filter((table) => !isCampaign(table) || table === campaign)
    .map((table) => ({
      key: table,
      label: table === 'goal' ? goalTab : isCampaign(table) ? own.campaigns : own.tables[table].tab,
      href: addressOf(path, withTab(question, card, table)),
      current: table === chosen || (isCampaign(table) && isCampaign(chosen)),
    }));
}

function isCampaign(table: Table): boolean {
  return table.startsWith('utm');
}

function withTab(question: Question, card: Card, table: Table): Question {
  return { ...question, tabs: { ...question.tabs, [card]: table } as Tabs };
}
