/** The people behind a number of an insight, beside the chart: how many, who they are, as a file and as a cohort. */

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { PointPage } from '#src/profiles/points/contract.ts';
import { POINT_PAGE, pointSorts } from '#src/profiles/points/values.ts';
import { MAX_TEXT_LENGTH } from '#src/profiles/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { newInsightOf, overviewOf } from '#views/frame/addresses.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink, smallButtonClass } from '#views/kit/Button.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Region } from '#views/kit/Region.tsx';
import { SidePanel } from '#views/kit/SidePanel.tsx';
import { useSettled } from '#views/kit/use-settled.ts';
import { addressOf, readQuestion } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { insightWords } from '#views/words/insights.ts';
import { pointPeopleWords } from '#views/words/point-people.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { insightAddress } from './address.ts';
import { GroupRows, useGroupsAt } from './GroupRows.tsx';
import css from './PeoplePanel.module.css';
import { PeopleRows } from './PeopleRows.tsx';
import { pathsAfter } from './paths/paths-after.ts';
import { pointFilter } from './point-filter.ts';
import { type PeopleOrder, type PointQuery, peopleFileAddress, pointQuery } from './point-query.ts';
import { SaveCohort } from './SaveCohort.tsx';
import { type NamedPoint, usePointName, usePointValue } from './use-point-name.ts';

/** As long may the next letter of a search take, ms. */
const SETTLES_AFTER_MS = 300;

export interface PeoplePanelProps extends NamedPoint {
  /** The project as the address names it. */
  reference: string;
  project: ProjectSummary;
  onClose(): void;
}

export function PeoplePanel(props: PeoplePanelProps) {
  const name = usePointName(props);
  return (
    <SidePanel label={name} onClose={props.onClose}>
      <Content {...props} name={name} />
    </SidePanel>
  );
}

function Content({ name, ...props }: PeoplePanelProps & { name: string }) {
  const { reference, insight, result, point } = props;
  const own = usePart(pointPeopleWords);
  const shared = usePart(insightWords);
  const groupWords = usePart(countedGroupWords);
  const fileName = useTableFileName();
  const id = useId();
  const asked = useMemo(() => pointQuery(insight, result, point), [insight, result, point]);
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), SETTLES_AFTER_MS);
  const [sort, setSort] = useState<PeopleOrder['sort']>('seen');
  const [pages, setPages] = useState({ of: '', count: 1 });
  const groups = useGroupsAt(insight, point);
  const order = { ...(search !== '' && { search }), sort };
  const of = JSON.stringify(order);
  const count = pages.of === of ? pages.count : 1;
  const list = useMemo(() => ({ order: JSON.parse(of) as PeopleOrder, pages: count }), [of, count]);
  return (
    <section aria-labelledby={id} className={css['panel']}>
      <h2 id={id}>{name}</h2>
      <Count {...props} asked={asked} />
      <div className={css['tools']}>
        <TextField
          label={groups === null ? own.search : groupWords.search(groups)}
          type="search"
          placeholder={groups === null ? own.searchHint : groupWords.searchHint}
          value={typed}
          maxLength={MAX_TEXT_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
        {groups === null && (
          <SelectField
            label={own.sort}
            value={sort}
            onChange={({ target }) => setSort(pointSorts.find((each) => each === target.value) ?? 'seen')}
          >
            {pointSorts.map((each) => (
              <option key={each} value={each}>
                {own.sorts[each]}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <Region
        question={list}
        of={`${of} ${count}`}
        label={groups ?? own.list}
        counting={name}
        skeleton={<BarTableSkeleton rows={4} />}
      >
        {(shown) => (
          <List
            {...props}
            asked={asked}
            list={shown}
            onMore={() => setPages({ of: JSON.stringify(shown.order), count: shown.pages + 1 })}
          />
        )}
      </Region>
      <footer className={`${css['foot']} no-print`}>
        {groups === null && <SaveCohort reference={reference} asked={asked} name={name} />}
        <Onward {...props} />
        <a
          href={peopleFileAddress(reference, asked, order)}
          download
          className={smallButtonClass}
          aria-label={shared.file(fileName)}
        >
          <Icon name="intake" />
          {fileName}
        </a>
      </footer>
    </section>
  );
}

/** Where the same people can be looked at further. */
function Onward({ reference, insight, result, point }: PeoplePanelProps) {
  const own = usePart(pointPeopleWords);
  const people = pointFilter(insight, result, point);
  const paths = pathsAfter(insight, point);
  return (
    <>
      {paths !== null && (
        <ButtonLink small ahead={false} href={insightAddress(newInsightOf(reference), paths)}>
          {point.kind === 'funnel' && point.dropped ? own.didInstead : own.didNext}
        </ButtonLink>
      )}
      {people !== null && (
        <ButtonLink
          small
          icon="filter"
          ahead={false}
          href={addressOf(overviewOf(reference), {
            ...readQuestion(new URLSearchParams()),
            range: insight.question.range,
            people,
          })}
        >
          {own.asFilter}
        </ButtonLink>
      )}
    </>
  );
}

type Asking = PeoplePanelProps & { asked: PointQuery };

function Count(props: Asking) {
  const own = usePart(pointPeopleWords);
  const textOf = usePointValue(props);
  const { format } = useWords();
  const groups = useGroupsAt(props.insight, props.point);
  const [first] = usePages(props.reference, props.asked, { order: { sort: 'seen' }, pages: 1 });
  if (first === undefined) return null;
  const { people, value } = first;
  return (
    <p className={css['count']}>
      <b className="num">{format.number(people)}</b> <span className="dim">{groups ?? own.people(people)}</span>
      {value !== null && value !== people && <span className="dim num">{textOf(value)}</span>}
    </p>
  );
}

interface Listed {
  order: PeopleOrder;
  pages: number;
}

function List({ reference, project, asked, list, onMore }: Asking & { list: Listed; onMore(): void }) {
  const own = usePart(pointPeopleWords);
  const { format } = useWords();
  const pages = usePages(reference, asked, list);
  const rows = pages.flatMap((page) => page.rows);
  const groups = pages.flatMap((page) => page.groups ?? []);
  const found = pages[0]?.found ?? 0;
  const reached = Math.min(found, list.pages * POINT_PAGE);
  if (rows.length + groups.length === 0) return <p className={css['none']}>{own.none}</p>;
  return (
    <>
      {rows.length > 0 && <PeopleRows reference={reference} people={rows} timeZone={project.timeZone} />}
      {groups.length > 0 && <GroupRows reference={reference} groups={groups} />}
      <p className={css['more']}>
        <span className="dim">{own.shown(format.number(reached), format.number(found))}</span>
        {reached < found && (
          <Button small onClick={onMore}>
            {own.more}
          </Button>
        )}
      </p>
    </>
  );
}

/** Pages of the list, the first ones. */
function usePages(reference: string, { kind, ...asked }: PointQuery, { order, pages }: Listed): PointPage[] {
  const trpc = useTrpc();
  const client = useQueryClient();
  // The options of different procedures have no common type.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const procedure = trpc.profiles.behind[kind] as any;
  const optionsOf = (page: number) => procedure.queryOptions({ project: reference, ...asked, ...order, page });
  return useSuspenseQuery({
    queryKey: ['people behind a point', optionsOf(1).queryKey, pages],
    queryFn: () =>
      Promise.all(Array.from({ length: pages }, (_, at) => client.ensureQueryData<PointPage>(optionsOf(at + 1)))),
  }).data;
}
