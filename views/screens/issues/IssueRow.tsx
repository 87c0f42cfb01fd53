/** One issue of the list. */
import type { IssueSummary } from '#src/errors/contract.ts';
import { issueOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Avatar } from '#views/kit/Avatar.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { DayBars } from '#views/kit/DayBars.tsx';
import { issueName } from '#views/kit/issue-name.ts';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Badge, stateOf } from './Badge.tsx';
import css from './Issues.module.css';

export interface IssueRowProps {
  project: string;
  issue: IssueSummary;
  isChosen: boolean;
  /** Null: may not change it. */
  choose: (() => void) | null;
}

export function IssueRow({ project, issue, isChosen, choose }: IssueRowProps) {
  const own = usePart(issueWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  const name = issueName(issue);
  const isHot = ['new', 'regressed'].includes(stateOf(issue, now));
  return (
    <tr>
      {choose && (
        <td className={css['check']}>
          <input
            type="checkbox"
            className="script-only"
            aria-label={own.select(name)}
            checked={isChosen}
            onChange={choose}
          />
        </td>
      )}
      <th scope="row">
        <Link href={issueOf(project, issue.id)} className={css['name']}>
          {name}
        </Link>
        <span className={classNames(css['below'], 'mono')}>{issue.culprit}</span>
        <span className={css['below']}>
          {issue.unhandled && <span className={css['badge']}>{own.unhandled}</span>} <span>{releasesOf(issue)}</span>
          <span className={css['narrow']}>
            {' '}
            <Badge issue={issue} /> {ago(issue.lastSeen, now, timeZone, words)}
          </span>
        </span>
      </th>
      <td className="wide-only">
        <DayBars days={issue.days} isHot={isHot} />
      </td>
      <td className={classNames(css['number'], 'num', css['strong'])}>{format.number(issue.events)}</td>
      <td className={classNames(css['number'], 'num wide-only')}>{format.number(issue.people)}</td>
      <td className="wide-only">
        <Badge issue={issue} />
      </td>
      <td className="wide-only">
        {issue.assignee === null ? (
          <span className="dim">{own.nobody}</span>
        ) : (
          <>
            <Avatar name={issue.assignee.name} />
            <span className="visually-hidden">{issue.assignee.name ?? own.someone}</span>
          </>
        )}
      </td>
      <td className={classNames(css['number'], 'num wide-only')}>
        <time dateTime={new Date(issue.lastSeen).toISOString()}>{ago(issue.lastSeen, now, timeZone, words)}</time>
      </td>
    </tr>
  );
}

/** "1.4.1 – 1.4.2", "1.4.2". */
function releasesOf({ firstRelease, lastRelease }: IssueSummary): string {
  const releases = [...new Set([firstRelease, lastRelease])].filter((release) => release !== null);
  return releases.join(' – ');
}
