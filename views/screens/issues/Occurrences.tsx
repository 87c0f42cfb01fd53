/** The newest occurrences of an issue, and what happened before one of them. */

import type { Issue, IssueOccurrence } from '#src/errors/contract.ts';
import { ERROR_LEAD_SECONDS, WatchReplay } from '#views/event/WatchReplay.tsx';
import { eventsOf, issueOf, personOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { anonymousName } from '#views/kit/anonymous-name.ts';
import { classNames } from '#views/kit/class-names.ts';
import { keyOf } from '#views/kit/event-key.ts';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Issue.module.css';
import list from './Issues.module.css';

export function Occurrences({ project, issue, chosen }: { project: string; issue: Issue; chosen: string | null }) {
  const own = usePart(issueWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  if (issue.occurrences.length === 0) return null;
  const current = chosen ?? keyOf(issue.occurrences[0] as Issue['occurrences'][number]);
  return (
    <section aria-labelledby="occurrences">
      <div className={css['sectionHead']}>
        <h2 id="occurrences">{own.occurrences}</h2>
        <span className="dim">{own.timesHint}</span>
      </div>
      <table className={classNames(list['table'], css['occurrences'])}>
        <thead>
          <tr>
            <th scope="col">{own.when}</th>
            <th scope="col">{own.person}</th>
            <th scope="col" className="wide-only">
              {own.browser}
            </th>
            <th scope="col" className="wide-only">
              {own.release}
            </th>
            <th scope="col" className={list['number']}>
              {own.times}
            </th>
          </tr>
        </thead>
        <tbody>
          {issue.occurrences.map((each) => (
            <tr key={keyOf(each)} className={keyOf(each) === current ? css['chosen'] : undefined}>
              <th scope="row">
                <Link
                  href={`${issueOf(project, issue.id)}?${new URLSearchParams({ at: keyOf(each) })}`}
                  aria-current={keyOf(each) === current ? 'true' : undefined}
                >
                  {ago(each.ts, now, timeZone, words)}
                </Link>
              </th>
              <td>
                <Link href={personOf(project, each.person.uuid)}>
                  {each.person.label ?? anonymousName(each.person, words)}
                </Link>
              </td>
              <td className="wide-only dim">{[each.browser, each.os].filter((part) => part !== null).join(', ')}</td>
              <td className="wide-only dim">{each.release}</td>
              <td className={classNames(list['number'], 'num')}>{format.number(each.events)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Breadcrumbs({ project, occurrence }: { project: string; occurrence: IssueOccurrence }) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const { timeZone } = useRoleIn(project);
  const { breadcrumbs, ts } = occurrence;
  return (
    <section aria-labelledby="before">
      <div className={css['sectionHead']}>
        <h2 id="before">{own.before}</h2>
        <WatchReplay project={project} session={occurrence.session} at={ts} lead={ERROR_LEAD_SECONDS} />
        <Link className="link" href={`${eventsOf(project)}?${new URLSearchParams({ event: keyOf(occurrence) })}`}>
          {own.openEvent}
        </Link>
      </div>
      {breadcrumbs.length === 0 ? (
        <p className="dim">{own.noBefore}</p>
      ) : (
        <ol className={css['crumbs']}>
          {breadcrumbs.map((crumb, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <li key={at} className={crumb.event === '$exception' ? css['problem'] : undefined}>
              <time className="num dim" dateTime={new Date(crumb.ts).toISOString()}>
                {format.clock(crumb.ts, timeZone)}
              </time>
              <span className={css['crumb']}>
                <span className="mono">{crumb.event ?? own.step}</span> <span className="dim">{crumb.detail}</span>
              </span>
            </li>
          ))}
          <li className={css['problem']}>
            <time className="num dim" dateTime={new Date(ts).toISOString()}>
              {format.clock(ts, timeZone)}
            </time>
            <span className={css['crumb']}>
              <span className="mono">$exception</span> <span className="dim">{occurrence.exceptions[0]?.value}</span>
            </span>
          </li>
        </ol>
      )}
    </section>
  );
}
