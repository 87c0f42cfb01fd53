/** A dashboard or an insight as readers of its link see it. */
import type { Dashboard, Tile } from '#src/dashboards/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { tileClass, Unlinked } from '#views/dashboards/TileFrame.tsx';
import { TileBox, TileGrid } from '#views/dashboards/Tiles.tsx';
import { customPath } from '#views/dashboards/tile-question.ts';
import { Mark } from '#views/kit/Icon.tsx';
import { State } from '#views/kit/State.tsx';
import { CompareChoice } from '#views/question/CompareChoice.tsx';
import { DateRange } from '#views/question/DateRange.tsx';
import { datesOf, type Today } from '#views/question/dates.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { datesText, rangeName } from '#views/question/range-text.ts';
import { sharedPageWords } from '#views/words/shared-page.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { chosenFilters, type ReaderChoice, ReaderFilters } from './ReaderFilters.tsx';
import css from './SharedPage.module.css';

export interface SharedDashboardProps extends Pick<Dashboard, 'name' | 'description' | 'insights'> {
  tiles: readonly Tile[];
  question: Question;
  /** Readers may choose another range. */
  isOpen: boolean;
  /** Filters that they may change. */
  choices: readonly ReaderChoice[];
  /** Tiles whose numbers could not be counted. */
  failed: ReadonlySet<string>;
  path: string;
  goals: readonly { id: number; name: string }[];
  timeZone: string;
  weekStart: 0 | 1;
  /** ms. */
  at: number;
}

/** What queries of the page name as their project; only the link decides which one it is. */
export const SHARED = 'shared';

export function SharedDashboard(props: SharedDashboardProps) {
  const own = usePart(sharedPageWords);
  const { format } = useWords();
  const { name, description, tiles, question, isOpen, choices, failed, path, goals, timeZone, weekStart, at } = props;
  const now = { today: dateIn(at, timeZone), weekStart };
  // Addresses have what readers choose, which the filters of the dashboard are not.
  const rangePath = `${customPath(path)}${chosenFilters(choices)}`;
  const chosen = { ...question, filters: null };
  const parts = {
    reference: SHARED,
    dashboard: { insights: props.insights },
    tiles,
    question,
    project: strangersProject(timeZone, weekStart),
    goals,
    now,
    counting: '',
  };
  return (
    <>
      <a href="#content" className={css['skip']}>
        {own.skip}
      </a>
      <header className={css['head']}>
        <div>
          <h1>{name}</h1>
          {description !== '' && <p>{description}</p>}
        </div>
        <div className={css['range']}>
          {isOpen ? (
            <>
              <DateRange path={rangePath} question={chosen} now={now} />
              <CompareChoice path={rangePath} question={chosen} now={now} />
            </>
          ) : (
            <Period question={question} now={now} />
          )}
        </div>
      </header>
      {choices.length > 0 && (
        <ReaderFilters choices={choices} path={path} href={isOpen ? addressOf(customPath(path), chosen) : path} />
      )}
      <main id="content">
        <Unlinked>
          <TileGrid>
            {tiles.map((tile) =>
              failed.has(tile.id) ? (
                <Failed key={tile.id} tile={tile} />
              ) : (
                <TileBox key={tile.id} {...parts} tile={tile} />
              ),
            )}
          </TileGrid>
        </Unlinked>
      </main>
      <footer className={css['foot']}>
        <span>{own.updated(format.dayMoment(at, timeZone), format.zone(at, timeZone))}</span>
        <span className={css['by']}>
          <Mark />
          {own.by}
        </span>
      </footer>
    </>
  );
}

function Period({ question: { range, compare }, now }: { question: Question; now: Today }) {
  const { words, format } = useWords();
  const dates = datesOf(range, now);
  return (
    <p>
      <b>{dates ? datesText(dates, now, format) : rangeName(range, words)}</b>
      <span className="dim">
        {typeof compare === 'string' ? words.compare[compare] : words.compare.dates(datesText(compare, now, format))}
      </span>
    </p>
  );
}

function Failed({ tile }: { tile: Tile }) {
  const own = usePart(sharedPageWords);
  return (
    <section className={tileClass(tile)}>
      <State icon="error" title={own.failed}>
        {own.failedText}
      </State>
    </section>
  );
}

/** Parts of answers ask for a project: here for its days and weeks, and nothing else of it is known. */
function strangersProject(timeZone: string, weekStart: 0 | 1): ProjectSummary {
  return {
    id: 0,
    name: '',
    team: { id: 0, name: '' },
    role: 'viewer',
    deletesAt: null,
    timeZone,
    weekStart,
    builtIn: false,
    token: '',
    hasOutsideEvents: true,
    demo: false,
    replay: { isOn: false, viewersWatch: false },
    groupTypes: [],
  };
}
