/** Beside the stack: how often and for whom, where it happens, why it is one issue, and what was done. */
import type { Issue, IssueNote } from '#src/errors/contract.ts';
import { issueOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { DayBars } from '#views/kit/DayBars.tsx';
import { issueName } from '#views/kit/issue-name.ts';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { stateOf } from './Badge.tsx';
import css from './Issue.module.css';
import { IssueGroups, IssueMoves } from './IssueGroups.tsx';
import { rulesAddress } from './rule-draft.ts';

/** Values so many times more frequent than usual are pointed out. */
const NOTABLE = 1.5;

export function IssueSide({ project, issue, isMaker }: { project: string; issue: Issue; isMaker: boolean }) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const now = useServerTime();
  const { events, people, sessions } = issue;
  return (
    <aside className={css['side']} aria-label={own.properties}>
      <h2>{own.occurrencesIn(events, format.number(events))}</h2>
      <DayBars days={issue.days} isHot={['new', 'regressed'].includes(stateOf(issue, now))} isLarge />
      <p className="dim">
        {own.peopleIn(people, format.number(people))} · {own.sessionsIn(sessions, format.number(sessions))}
      </p>
      {issue.properties.length > 0 && (
        <>
          <h2>{own.properties}</h2>
          <dl className={css['facts']}>
            {issue.properties.map(({ name, values }) => (
              <div key={name}>
                <dt>{own.propertyNames[name]}</dt>
                <dd>
                  {values.map(({ value, events: count, lift }, at) => (
                    <span key={value}>
                      {at > 0 && ', '}
                      {name === 'country' ? format.country(value) : value}{' '}
                      <span className="dim">{format.number(count)}</span>
                      {lift !== null && lift >= NOTABLE && (
                        <b className={css['lift']}> {own.lift(format.decimal(Math.round(lift * 10) / 10))}</b>
                      )}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <p className="dim">
            {own.compared(format.number(issue.compared.occurrences), format.number(issue.compared.events))}
          </p>
        </>
      )}
      <IssueReleases project={project} issue={issue} />
      <h2>{own.grouping}</h2>
      <p>{own.groupedBy[issue.grouping.by]}</p>
      <ul className={css['parts']}>
        {issue.grouping.parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are in their order
          <li key={at} className="mono">
            {part}
          </li>
        ))}
      </ul>
      {isMaker && (
        <p className={css['links']}>
          <Link href={rulesAddress(project, { kind: 'grouping', ...ruleOf(issue) })}>{own.makeRule}</Link>{' '}
          <Link href={rulesAddress(project, { kind: 'suppression', ...ruleOf(issue) })}>{own.suppress}</Link>
        </p>
      )}
      <IssueGroups project={project} issue={issue} isMaker={isMaker} />
      <Similar project={project} issue={issue} />
      <h2>{own.activity}</h2>
      <IssueMoves project={project} issue={issue} isMaker={isMaker} />
      <ul className={css['notes']}>
        {issue.notes.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are in their order
          <Note key={at} project={project} note={note} />
        ))}
      </ul>
    </aside>
  );
}

function IssueReleases({ project, issue }: { project: string; issue: Issue }) {
  const own = usePart(issueWords);
  const { words, format } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  if (issue.releases.length === 0) return null;
  return (
    <>
      <h2>{own.releases}</h2>
      <ul className={css['notes']}>
        {issue.releases.map(({ version, firstSeen, lastSeen, events, commit }) => (
          <li key={version}>
            {version} <span className="num">{format.number(events)}</span>{' '}
            <span className="dim">
              {own.seenBetween(ago(firstSeen, now, timeZone, words), ago(lastSeen, now, timeZone, words))}
              {commit !== null && (
                <>
                  {' · '}
                  <span className="mono">{commit.slice(0, 10)}</span>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Similar({ project, issue }: { project: string; issue: Issue }) {
  const own = usePart(issueWords);
  if (issue.similar.length === 0) return null;
  return (
    <>
      <h2>{own.similar}</h2>
      <ul className={css['notes']}>
        {issue.similar.map((other) => (
          <li key={other.id}>
            <Link href={issueOf(project, other.id)}>{issueName(other)}</Link>{' '}
            <span className="mono">{other.culprit}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The first line of the message. */
function ruleOf({ type, message }: Issue): { type: string; message: string } {
  return { type, message: message.split('\n')[0] ?? '' };
}

function Note({ project, note: { at, by, action, details } }: { project: string; note: IssueNote }) {
  const own = usePart(issueWords);
  const { words } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  const what = own.notes[action](action === 'assigned' ? (details.assignee ?? null) : (details.release ?? null));
  return (
    <li>
      <span>{by === null ? what : own.by(by.name ?? own.someone, what)}</span>{' '}
      <time className="dim" dateTime={new Date(at).toISOString()}>
        {ago(at, now, timeZone, words)}
      </time>
    </li>
  );
}
