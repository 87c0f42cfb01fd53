/** Beside the stack: how often and for whom, where it happens, why it is one issue, and what was done. */
import type { Issue, IssueNote } from '#src/errors/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { useServerTime } from '#views/kit/server-time.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { stateOf } from './Badge.tsx';
import { DayBars } from './DayBars.tsx';
import css from './Issue.module.css';

export function IssueSide({ project, issue }: { project: string; issue: Issue }) {
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
                  {values.map(({ value, events: count }, at) => (
                    <span key={value}>
                      {at > 0 && ', '}
                      {name === 'country' ? format.country(value) : value}{' '}
                      <span className="dim">{format.number(count)}</span>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
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
      <h2>{own.activity}</h2>
      <ul className={css['notes']}>
        {issue.notes.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are in their order
          <Note key={at} project={project} note={note} />
        ))}
      </ul>
    </aside>
  );
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
