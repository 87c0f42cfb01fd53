/** What an issue was put together of, to split it; and merges and splits to undo. */
import { useState } from 'react';
import type { Issue } from '#src/errors/contract.ts';
import { issueOf } from '#views/frame/addresses.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { CheckField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { issueWords } from '#views/words/issues.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Issue.module.css';
import { useMoves } from './use-change.ts';

interface IssueGroupsProps {
  project: string;
  issue: Issue;
  isMaker: boolean;
}

export function IssueGroups({ project, issue, isMaker }: IssueGroupsProps) {
  const own = usePart(issueWords);
  const { format } = useWords();
  const { split } = useMoves(project);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const { groups } = issue;
  if (groups.length < 2) return null;
  return (
    <>
      <h2>{own.groups}</h2>
      {isMaker && <p className="dim">{own.groupsHint}</p>}
      <ul className={css['groups']}>
        {groups.map(({ fingerprint, events, culprit, message, release }) => (
          <li key={fingerprint}>
            {isMaker ? (
              <CheckField
                label={<Group events={format.number(events)} place={culprit || message} release={release} />}
                checked={chosen.includes(fingerprint)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, fingerprint] : chosen.filter((each) => each !== fingerprint))
                }
              />
            ) : (
              <Group events={format.number(events)} place={culprit || message} release={release} />
            )}
          </li>
        ))}
      </ul>
      {isMaker && chosen.length > 0 && chosen.length < groups.length && (
        <Button small onClick={() => void split(issue.id, chosen).then(() => setChosen([]))}>
          {own.split}
        </Button>
      )}
    </>
  );
}

function Group({ events, place, release }: { events: string; place: string; release: string | null }) {
  return (
    <span>
      <span className="mono">{place}</span>{' '}
      <span className="dim">
        {events}
        {release !== null && ` · ${release}`}
      </span>
    </span>
  );
}

export function IssueMoves({ project, issue, isMaker }: IssueGroupsProps) {
  const own = usePart(issueWords);
  const { words } = useWords();
  const { timeZone } = useRoleIn(project);
  const now = useServerTime();
  const { undo } = useMoves(project);
  if (issue.moves.length === 0) return null;
  return (
    <ul className={css['notes']}>
      {issue.moves.map(({ id, at, kind, title, issue: other }) => (
        <li key={id}>
          {own.moves[kind]}: {kind === 'split' ? <Link href={issueOf(project, other)}>{title}</Link> : title}{' '}
          <time className="dim" dateTime={new Date(at).toISOString()}>
            {ago(at, now, timeZone, words)}
          </time>{' '}
          {isMaker && (
            <Button small kind="quiet" className="script-only" onClick={() => void undo(id)}>
              {own.undo}
              <span className="visually-hidden">: {title}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
