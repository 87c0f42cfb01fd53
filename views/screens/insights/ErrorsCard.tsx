/** Errors of the range: what is new, and the issues with the most people. For members; not there while a project never had an error. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { errorsOf, issueOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { BarTable } from '#views/kit/BarTable.tsx';
import { issueName } from '#views/kit/issue-name.ts';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { issuesInput } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { useTrpc } from '#views/trpc.ts';
import { errorsCardWords } from '#views/words/errors-card.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './ErrorsCard.module.css';

export function ErrorsCard({ reference, region }: { reference: string; region: RegionOf }) {
  return (
    <Region {...region} of={`${region.of} errors`} skeleton={null}>
      {(shown) => <Figures reference={reference} question={shown} />}
    </Region>
  );
}

function Figures({ reference, question }: { reference: string; question: Question }) {
  const own = usePart(errorsCardWords);
  const { format } = useWords();
  const { timeZone } = useRoleIn(reference);
  const { data } = useSuspenseQuery(useTrpc().errors.overview.queryOptions(issuesInput(reference, question)));
  const { issues, newIssues, release, totals } = data;
  if (totals.events === 0 && release === null) return null;
  const list = (search: string) => addressOf(`${errorsOf(reference)}${search}`, question);
  const most = Math.max(1, ...issues.map(({ people }) => people));
  return (
    <section aria-labelledby="errors-card" className={css['card']}>
      <div className={css['head']}>
        <h2 id="errors-card">{own.title}</h2>
        {newIssues > 0 && (
          <Link href={list('?order=first_seen')} className={css['fresh']}>
            {own.fresh(newIssues, format.number(newIssues))}
          </Link>
        )}
        {release !== null && (
          <span className={css['facts']}>
            <Link href={list(`?${new URLSearchParams({ release: release.version, order: 'first_seen' })}`)}>
              {own.release(release.version, format.dayTime(release.firstSeen, timeZone))}
            </Link>
            {': '}
            {own.freshIn(release.newIssues, format.number(release.newIssues))}
          </span>
        )}
      </div>
      {issues.length === 0 ? (
        <p className="dim">{own.none}</p>
      ) : (
        <BarTable
          caption={own.title}
          columns={[
            { key: 'issue', head: own.issue },
            { key: 'people', head: own.people },
            { key: 'events', head: own.events, faint: true, roomy: true },
          ]}
          rows={issues.map((issue) => ({
            key: String(issue.id),
            label: issueName(issue),
            href: issueOf(reference, issue.id),
            cells: [format.number(issue.people), format.number(issue.events)],
            bar: issue.people / most,
            tick: null,
          }))}
        />
      )}
      <p className={css['more']}>
        <Link href={list('')}>{own.all}</Link>
      </p>
    </section>
  );
}
