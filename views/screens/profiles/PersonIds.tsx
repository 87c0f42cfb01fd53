/** The ids a person is known by, how each came to them, and which were taken out. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { FailureCode } from '#views/call-error.ts';
import { personOf } from '#views/frame/addresses.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Link } from '#views/kit/Link.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { failureOf, useTrpc } from '#views/trpc.ts';
import { peopleWords } from '#views/words/people.ts';
import { splitWords } from '#views/words/split.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Item, type PersonFactsProps, SaidBy } from './FactList.tsx';
import css from './Person.module.css';

export function PersonIds({ project, person, timeZone, role }: PersonFactsProps) {
  const text = usePart(peopleWords);
  const split = usePart(splitWords);
  const { format } = useWords();
  const [asked, setAsked] = useState<string | null>(null);
  const { ids, moreIds, uuid, splits } = person;
  const maySplit = mayCall('profiles.split', role) && ids.length > 1;
  return (
    <section aria-label={text.ids}>
      <h2>
        {text.ids} <span className="dim num">{format.number(ids.length + moreIds)}</span>
      </h2>
      <dl className={css['list']}>
        {ids.map(({ distinctId, joined }) => (
          <Item key={distinctId} name={joined === null ? text.ownId : text.mergedId}>
            <span className={`mono ${css['id']}`}>{distinctId}</span>
            {joined?.by && <SaidBy project={project} person={uuid} by={joined.by} timeZone={timeZone} />}
            {joined && joined.by === null && (
              <span className={css['by']}>{text.joined(format.dayTime(joined.at, timeZone))}</span>
            )}
            {maySplit && (
              <Button
                kind="quiet"
                small
                className={`script-only ${css['split']}`}
                aria-label={split.takeNamed(distinctId)}
                onClick={() => setAsked(distinctId)}
              >
                {split.take}
              </Button>
            )}
          </Item>
        ))}
      </dl>
      {moreIds > 0 && <p className="dim">{text.moreIds(format.number(moreIds))}</p>}
      {splits.length > 0 && <h2>{split.history}</h2>}
      {splits.map(({ distinctId, at, by, other, isFrom, isMoving }) => (
        <p key={`${distinctId} ${at}`} className={css['taken']}>
          {isFrom ? split.from(distinctId) : split.made(distinctId)}
          <span className={css['by']}>
            {split.by(by, format.dayTime(at, timeZone))}
            {isMoving && ` ${split.moving}`}
          </span>
          {other !== null && other !== uuid && (
            <Link className="link" href={personOf(project, other)}>
              {split.other}
            </Link>
          )}
        </p>
      ))}
      {asked !== null && <AskSplit project={project} person={uuid} distinctId={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

interface AskSplitProps {
  project: string;
  person: string;
  distinctId: string;
  onClose(): void;
}

function AskSplit({ project, person, distinctId, onClose }: AskSplitProps) {
  const split = usePart(splitWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const take = useMutation(trpc.profiles.split.mutationOptions());
  const refusals: Partial<Record<FailureCode, string>> = { too_large: split.tooMany, conflict: split.keepsChanging };
  return (
    <AskFirst
      title={split.title(distinctId)}
      text={split.text}
      action={split.take}
      busy={split.busy}
      onConfirm={async () => {
        await take.mutateAsync({ project, person, distinctId });
        showToast(split.done);
        await client.invalidateQueries();
      }}
      onClose={onClose}
      words={(error) => refusals[failureOf(error).code]}
    />
  );
}
